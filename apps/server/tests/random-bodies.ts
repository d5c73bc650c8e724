import fc, { type Arbitrary } from 'fast-check';
import { anything, hostileTexts, mostly, oddNumbers } from './random-values.ts';

/** Bodies for `/api/rpc`: mostly calls that are nearly right, since those get furthest; some that are anything at all. */
export function randomBody(ids: readonly number[]): Arbitrary<string | Uint8Array> {
  const call = nearCall(ids).map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 20, arbitrary: call },
    { weight: 2, arbitrary: brokenText(call) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  );
}

type Kind = 'text' | 'number' | 'date' | 'instant' | 'flag' | 'state' | 'record' | 'lines' | 'links' | 'json' | 'bytes';

/** Fields that exist, by what fits into them. */
const known: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  'shop.order': {
    ...{ name: 'text', note: 'text', page: 'text', state: 'state', count: 'number', rate: 'number', margin: 'number' },
    ...{ is_urgent: 'flag', active: 'flag', date_order: 'date', placed_at: 'instant', extra: 'json', file: 'bytes' },
    ...{ user_id: 'record', partner_id: 'record', company_id: 'record', line_ids: 'lines', tag_ids: 'links' },
  } as Record<string, Kind>,
  'shop.order.line': { name: 'text', qty: 'number', price: 'number', order_id: 'record' },
  'shop.tag': { name: 'text', parent_id: 'record' },
};
const models = Object.keys(known);
/** Models whose records others need: they are only read. */
const readOnly: typeof known = {
  'core.user': { name: 'text', login: 'text', active: 'flag', password: 'text', company_id: 'record' },
  'core.partner': { name: 'text', email: 'text', active: 'flag', parent_id: 'record' },
  'core.group': { name: 'text', key: 'text' },
  'sys.session': { address: 'text', started_at: 'instant', user_id: 'record', token_hash: 'text' },
  'sys.access': { name: 'text', model: 'text', perm_read: 'flag' },
  'sys.log': { message: 'text', level: 'text', at: 'instant' },
};
const oddFields = [
  ...[
    'nome',
    'id',
    'display_name',
    'amount_total',
    'reference',
    'create_date',
    'user_id.password',
    'partner_id.country_id.code',
  ],
  ...[
    'line_ids.qty',
    'date_order:month',
    'placed_at:hour',
    'state:year',
    '-name',
    'name, -id',
    '__proto__',
    'constructor',
    '',
  ],
];
const allOperators = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'not in',
  'like',
  'ilike',
  'not ilike',
  '=like',
  'child_of',
];

/** Most often one that fits. */
function operatorFor(kind: Kind): Arbitrary<string> {
  const ordered = ['=', '!=', '<', '<=', '>', '>=', 'in', 'not in'];
  const fits =
    kind === 'text'
      ? [...ordered, 'like', 'ilike', 'not ilike', '=like']
      : /number|date|instant/.test(kind)
        ? ordered
        : ['=', '!='];
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...fits) },
    { weight: 1, arbitrary: fc.constantFrom(...allOperators) },
  );
}

/** What fits, as far as one can say without knowing the record. */
function fitting(kind: Kind, id: Arbitrary<number>): Arbitrary<unknown> {
  switch (kind) {
    case 'text':
      return fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom(...hostileTexts));
    case 'number':
      return fc.oneof(fc.integer({ min: -5, max: 99 }), fc.constantFrom(...oddNumbers, '1.50'));
    case 'date':
      return fc.constantFrom('2026-11-14', '2024-02-29', '0001-01-01', '9999-12-31', null);
    case 'instant':
      return fc.constantFrom('2026-11-14T09:30:00Z', '2026-11-14T09:30:00.123+05:30', null);
    case 'flag':
      return fc.boolean();
    case 'state':
      return fc.constantFrom('draft', 'sold');
    case 'record':
      return fc.oneof(id, fc.constant(null));
    case 'links':
      return fc.array(fc.oneof(fc.tuple(fc.constantFrom('link', 'unlink'), id), fc.constant(['clear'])), {
        maxLength: 2,
      });
    case 'lines':
      return fc.array(lineCommand(id), { maxLength: 3 });
    case 'json':
      return anything;
    case 'bytes':
      return fc.constantFrom('aGVsbG8=', '', null);
  }
}

function lineCommand(id: Arbitrary<number>): Arbitrary<unknown> {
  const values = fc.record({
    name: fc.string({ maxLength: 8 }),
    qty: mostly(fc.nat({ max: 9 })),
    price: mostly(fc.constantFrom('1.10', 2)),
  });
  return mostly(
    fc.oneof(
      fc.tuple(fc.constant('create'), values),
      fc.tuple(fc.constant('update'), id, values),
      fc.tuple(fc.constantFrom('delete', 'unlink', 'link'), id),
      fc.tuple(fc.constant('set'), fc.array(id, { maxLength: 2 })),
    ),
  );
}

function nearCall(ids: readonly number[]): Arbitrary<unknown> {
  const id = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...ids, 1) },
    { weight: 1, arbitrary: fc.constantFrom(...oddNumbers, 999_999) },
  );
  const kept = fc.constantFrom(...models).chain((model) => callOf(model, id));
  const reads = fc.constantFrom('search', 'search_read', 'read', 'read_group', 'onchange');
  const elsewhere = fc
    .constantFrom(...Object.keys(readOnly))
    .chain((model) => reads.chain((method) => one(model, method, id)));
  const strange = fc.record(
    { model: anything, method: anything, args: fc.array(anything, { maxLength: 3 }), kwargs: anything },
    { requiredKeys: [] },
  );
  const call = fc.oneof(
    { weight: 12, arbitrary: kept },
    { weight: 3, arbitrary: elsewhere },
    { weight: 1, arbitrary: strange },
  );
  return fc.oneof({ weight: 8, arbitrary: call }, { weight: 1, arbitrary: call.map((params) => ({ params })) });
}

function callOf(model: string, id: Arbitrary<number>): Arbitrary<unknown> {
  return fc.constantFrom(...methods).chain((method) => one(model, method, id));
}

const methods = [
  ...[
    'search',
    'search_read',
    'read',
    'read_group',
    'call',
    'create',
    'write',
    'unlink',
    'create_many',
    'write_many',
    'unlink_many',
    'onchange',
  ],
];

function one(model: string, method: string, id: Arbitrary<number>): Arbitrary<unknown> {
  const parts = partsOf(model, id);
  const args = argsOf(method, parts, id);
  const count = fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) });
  const sized = fc
    .tuple(args, count, anything)
    .map(([all, more, extra]) => (more < 0 ? all.slice(0, -1) : more > 0 ? [...all, extra] : all));
  return fc.record(
    { model: fc.constant(model), method: fc.constant(method), args: sized, kwargs: kwargsOf(method, parts) },
    { requiredKeys: ['model', 'method', 'args'] },
  );
}

interface Parts {
  readonly field: Arbitrary<string>;
  readonly domain: Arbitrary<unknown>;
  readonly projection: Arbitrary<unknown>;
  readonly values: Arbitrary<unknown>;
  readonly ids: Arbitrary<unknown>;
}

function partsOf(model: string, id: Arbitrary<number>): Parts {
  const kinds = (known[model] ?? readOnly[model]) as Readonly<Record<string, Kind>>;
  const names = Object.keys(kinds);
  const field = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...names, 'id', 'display_name') },
    { weight: 1, arbitrary: fc.constantFrom(...oddFields) },
  );
  const condition = fc.constantFrom(...names).chain((name) => {
    const fits = fitting(kinds[name] as Kind, id);
    const operator = operatorFor(kinds[name] as Kind);
    return operator.chain((sign) =>
      fc.tuple(
        fc.oneof({ weight: 9, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: field }),
        fc.constant(sign),
        mostly(/in$/.test(sign) ? fc.array(fits, { maxLength: 3 }) : fits),
      ),
    );
  });
  const tree = fc.oneof(
    { weight: 6, arbitrary: fc.array(condition, { maxLength: 3 }) as Arbitrary<unknown[]> },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom('|', '&'), condition, condition) as Arbitrary<unknown[]> },
    { weight: 1, arbitrary: fc.tuple(fc.constant('!'), condition) as Arbitrary<unknown[]> },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('|', '!'), fc.constantFrom('&', '!'), condition) as Arbitrary<unknown[]>,
    },
  );
  const entry = fc
    .constantFrom(...names)
    .chain((name) => fc.tuple(fc.constant(name), mostly(fitting(kinds[name] as Kind, id))));
  const entries = fc.array(entry, { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs));
  const named = fc
    .tuple(entries, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }))
    .map(([values, name]) => ({ ...values, name }));
  return {
    field,
    domain: mostly(tree),
    projection: mostly(fc.array(field, { maxLength: 5 })),
    values: mostly(
      fc.oneof(
        named,
        entries,
        fc.tuple(entries, field, anything).map(([values, name, value]) => ({ ...values, [name]: value })),
      ),
    ),
    ids: mostly(fc.array(id, { minLength: 1, maxLength: 3 })),
  };
}

function argsOf(
  method: string,
  { field, domain, projection, values, ids }: Parts,
  id: Arbitrary<number>,
): Arbitrary<unknown[]> {
  switch (method) {
    case 'search':
      return fc.tuple(domain);
    case 'search_read':
      return fc.tuple(domain, projection);
    case 'read':
      return fc.tuple(ids, projection);
    case 'read_group':
      return fc.tuple(groupSpec(field, domain));
    case 'call':
      return fc.tuple(
        mostly(id),
        actionName,
        fc.oneof(
          fc.constant({}),
          fc.dictionary(fc.constantFrom('active_ids', 'refuse'), fc.constantFrom('1,2', ...hostileTexts), {
            maxKeys: 2,
          }),
          anything,
        ),
      );
    case 'create':
      return fc.tuple(values);
    case 'create_many':
      return fc.tuple(fc.array(values, { maxLength: 3 }));
    case 'unlink':
    case 'unlink_many':
      return fc.tuple(ids);
    case 'onchange':
      return fc.tuple(values, mostly(fc.oneof(field, fc.array(field, { maxLength: 2 }))));
    default:
      return fc.tuple(ids, values);
  }
}

const actionName = fc.constantFrom(
  'action_sell',
  'action_open',
  'action_audit',
  'action_copy',
  'action_archive',
  'action_nothing',
  ...hostileTexts.slice(0, 8),
);

function groupSpec(field: Arbitrary<string>, domain: Arbitrary<unknown>): Arbitrary<unknown> {
  const measure = fc.record({
    name: fc.constantFrom('total', 'n', ...hostileTexts.slice(0, 6)),
    field,
    measure: fc.constantFrom('sum', 'count', 'avg', 'min', 'max', 'count_distinct', 'median'),
  });
  const spec = {
    domain,
    groupby: mostly(fc.array(field, { maxLength: 2 })),
    fields: mostly(fc.array(measure, { maxLength: 2 })),
  };
  const page = {
    order: fc.oneof(field, fc.constantFrom('__count', '-__count')),
    limit: mostly(fc.constantFrom(5, 0)),
    offset: mostly(fc.constantFrom(0, 3)),
  };
  return mostly(fc.record({ ...spec, ...page }, { requiredKeys: ['domain', 'groupby', 'fields'] }));
}

function kwargsOf(method: string, { field, values }: Parts): Arbitrary<unknown> {
  const page = {
    limit: mostly(fc.constantFrom(0, 3, 500, 501)),
    offset: mostly(fc.constantFrom(0, 1, 2 ** 53 - 1)),
    order: field,
  };
  const own: Record<string, Record<string, Arbitrary<unknown>>> = {
    search: page,
    search_read: page,
    write: { base: values, dry_run: fc.boolean() },
    onchange: { id: mostly(fc.constantFrom(1, 2)) },
  };
  const readers = ['read', 'read_group'];
  const fits = own[method] ?? (readers.includes(method) ? {} : { dry_run: fc.boolean() });
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) as Arbitrary<unknown> },
    { weight: 5, arbitrary: fc.record(fits, { requiredKeys: [] }) },
    { weight: 1, arbitrary: anything },
  );
}

/** Valid text with a piece taken out or put in. */
function brokenText(text: Arbitrary<string>): Arbitrary<string> {
  const piece = fc.constantFrom(
    '"',
    '{',
    '}',
    '[',
    ',',
    ':',
    '\\',
    '\\u0000',
    '\\ud800',
    '1e999',
    'NaN',
    '\0',
    '\n',
    '"a":1,',
  );
  return fc.tuple(text, fc.nat({ max: 999 }), fc.nat({ max: 8 }), piece).map(([whole, where, length, put]) => {
    const at = Math.floor((where / 1_000) * whole.length);
    return whole.slice(0, at) + put + whole.slice(at + length);
  });
}
