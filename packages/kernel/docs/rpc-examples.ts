/** A call of one method, as it is shown and as a test runs it. `$ID` is the record that the example of `create` made. */
export interface RpcExample {
  readonly model: string;
  readonly args: string;
  readonly kwargs?: string;
  /** Numbers are examples; everything else is what comes back. */
  readonly result: string;
}

/** In an order in which they can be run one after another. */
export const rpcExamples: Readonly<Record<string, RpcExample>> = {
  create: { model: 'core.partner', args: '[{"name": "Berg & Co", "city": "Oslo", "is_company": true}]', result: '7' },
  search: {
    model: 'core.currency',
    args: '[[["name", "=", "EUR"]]]',
    kwargs: '{"limit": 0}',
    result: '[]',
  },
  search_read: {
    model: 'core.partner',
    args: '[[["city", "ilike", "os"], ["is_company", "=", true]], ["name", "country_id.code", {"child_ids": ["name"]}]]',
    kwargs: '{"order": "name, -id", "limit": 80}',
    result: '[{"id": 7, "name": "Berg & Co", "country_id.code": null, "child_ids": []}]',
  },
  read: {
    model: 'core.partner',
    args: '[[$ID], ["name", "city"]]',
    result: '[{"id": 7, "name": "Berg & Co", "city": "Oslo"}]',
  },
  read_group: {
    model: 'core.partner',
    args: '[{"domain": [["city", "=", "Oslo"]], "groupby": ["city"], "fields": [{"name": "companies", "field": "id", "measure": "count"}]}]',
    result:
      '[{"city": "Oslo", "companies": 1, "__count": 1, "__domain": [["city", "=", "Oslo"], ["city", "=", "Oslo"]]}]',
  },
  onchange: { model: 'core.partner', args: '[{"name": "Berg"}, "name"]', result: '{"value": {}}' },
  write: {
    model: 'core.partner',
    args: '[[$ID], {"city": "Bergen"}]',
    kwargs: '{"base": {"city": "Oslo"}}',
    result: 'true',
  },
  call: {
    model: 'core.partner',
    args: '[$ID, "action_archive"]',
    kwargs: '{"dry_run": true}',
    result:
      '{"dry_run": true, "result": true, "changes": [{"model": "core.partner", "id": 7, "operation": "write", "values": {"active": {"old": true, "new": false}}}]}',
  },
  create_many: { model: 'core.partner', args: '[[{"name": "Ada"}, {"name": "Grace"}]]', result: '[8, 9]' },
  write_many: { model: 'core.partner', args: '[[$ID], {"phone": "+47 22 00 00 00"}]', result: 'true' },
  unlink: { model: 'core.partner', args: '[[$ID]]', result: 'true' },
  unlink_many: { model: 'core.partner', args: '[[]]', result: 'true' },
};
