import type { Records } from '@kontor/orm';
import { invalidArgs, type Operation } from '@kontor/protocol';
import * as read from './arguments.ts';

type Args = readonly unknown[];
type Kwargs = Readonly<Record<string, unknown>>;

/** One method of the endpoint, as data: documentation, checks and dispatch all read this table. */
export interface RpcMethod {
  readonly summary: string;
  /** Names of the positional arguments; a trailing `?` marks one that may be left out. */
  readonly args: readonly string[];
  /** `...` in place of names: any number, checked by the method itself. */
  readonly isVariadic?: boolean;
  readonly kwargs: readonly string[];
  readonly result: string;
  /** The right on the model that it needs. What needs `read` changes nothing and takes no transaction. */
  readonly needs: Operation;
  /** A replica may answer it, once it has what the caller last wrote. */
  readonly mayUseReplica?: true;
  run(records: Records, args: Args, kwargs: Kwargs): Promise<unknown>;
}

const table = {
  search: {
    summary: 'Records that match a domain, with their default fields.',
    args: ['domain?'],
    kwargs: ['limit', 'offset', 'order'],
    result: 'array of records',
    needs: 'read',
    mayUseReplica: true,
    run: async (records, [domain], kwargs) =>
      new RawJson(await records.searchReadJson(read.domain(domain, 'domain'), undefined, read.searchOptions(kwargs))),
  },
  search_read: {
    summary: 'Records that match a domain, with exactly the fields asked for.',
    args: ['domain', 'fields?'],
    kwargs: ['limit', 'offset', 'order'],
    result: 'array of projected records',
    needs: 'read',
    mayUseReplica: true,
    run: async (records, [domain, fields], kwargs) =>
      new RawJson(
        await records.searchReadJson(
          read.domain(domain, 'domain'),
          read.projection(fields, 'fields'),
          read.searchOptions(kwargs),
        ),
      ),
  },
  read: {
    summary: 'Records by id, in the order of the ids.',
    args: ['ids', 'fields?'],
    kwargs: [],
    result: 'array of records',
    needs: 'read',
    run: async (records, [ids, fields]) =>
      new RawJson(await records.readJson(read.ids(ids, 'ids'), read.projection(fields, 'fields'))),
  },
  read_group: {
    summary: 'Groups of records with counts and measures, worked out by the database.',
    args: ['spec'],
    kwargs: [],
    result: 'array of group rows',
    needs: 'read',
    run: (records, [spec]) => records.readGroup(read.groupSpec(spec, 'spec')),
  },
  call: {
    summary: 'Runs an object action of the model on a record, or on `active_ids` when the id is 0.',
    args: ['id', 'action_name', 'vals?'],
    kwargs: ['dry_run'],
    result: '`true` or `{redirect}`',
    needs: 'write',
    run: async (records, [id, action, vals]) => {
      const params = read.textMap(vals, 'vals');
      const name = read.actionName(action, 'action_name');
      return (await records.call(selection(id, params.active_ids), name, params)) ?? true;
    },
  },
  create: {
    summary: 'Creates one record.',
    args: ['values'],
    kwargs: ['dry_run'],
    result: 'id of the new record',
    needs: 'create',
    run: (records, [values]) => records.create(read.values(values, 'values')),
  },
  write: {
    summary: 'Changes records. With `base`, merges with what others changed meanwhile.',
    args: ['ids', 'values'],
    kwargs: ['base', 'dry_run'],
    result: '`true`',
    needs: 'write',
    run: (records, [ids, values], { base }) =>
      records.write(
        read.ids(ids, 'ids'),
        read.values(values, 'values'),
        base === undefined || base === null ? {} : { base: read.values(base, 'base') },
      ),
  },
  unlink: {
    summary: 'Deletes records.',
    args: ['ids'],
    kwargs: ['dry_run'],
    result: '`true`',
    needs: 'unlink',
    run: (records, [ids]) => records.unlink(read.ids(ids, 'ids')),
  },
  create_many: {
    summary: 'Creates up to 10,000 records, all or none.',
    args: ['[values, …]'],
    isVariadic: true,
    kwargs: ['dry_run'],
    result: 'array of ids',
    needs: 'create',
    run: (records, args) => records.createMany(read.manyValues(args)),
  },
  write_many: {
    summary: 'Changes up to 10,000 records, all or none.',
    args: ['ids', 'values'],
    kwargs: ['dry_run'],
    result: '`true`',
    needs: 'write',
    run: (records, [ids, values]) => records.write(read.ids(ids, 'ids'), read.values(values, 'values')),
  },
  unlink_many: {
    summary: 'Deletes up to 10,000 records, all or none.',
    args: ['ids'],
    kwargs: ['dry_run'],
    result: '`true`',
    needs: 'unlink',
    run: (records, [ids]) => records.unlink(read.ids(ids, 'ids')),
  },
  onchange: {
    summary:
      'What would follow from a change in a form: values, a warning, domains. `[{}, []]` gives the defaults. With `action` and `active_ids`: what the dialog of an action opens with; `values` are answers.',
    args: ['values', 'fields'],
    kwargs: ['id', 'action', 'active_ids'],
    result: '`{value, warning?, domain?}`',
    needs: 'read',
    run: async (records, [values, fields], { id, action, active_ids: activeIds }) => {
      if (action !== undefined) {
        const name = read.actionName(action, 'action');
        return records.proposeAnswers(read.ids(activeIds, 'active_ids'), name, read.values(values, 'values'));
      }
      const given = id === undefined || id === null ? {} : { id: read.id(id, 'id') };
      const answer = await records.onchange(read.values(values, 'values'), read.fieldNames(fields, 'fields'), given);
      return { ...answer, value: answer.value ?? {} };
    },
  },
} satisfies Record<string, RpcMethod>;

export const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map(Object.entries(table));

/** The record, or with id 0 the selection that `active_ids` names. */
function selection(id: unknown, activeIds: string | undefined): readonly number[] {
  if (id !== 0) return [read.id(id, 'id')];
  const parts = (activeIds ?? '').split(',').filter((part) => part.trim() !== '');
  if (parts.length === 0) throw invalidArgs('With id 0, vals.active_ids names the records.', { field: 'active_ids' });
  return read.ids(
    parts.map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : null)),
    'active_ids',
  );
}

/** JSON text that goes into the envelope as it is. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
