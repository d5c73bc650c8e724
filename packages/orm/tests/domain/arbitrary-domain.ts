import type { DomainOperator } from '@kontor/protocol';
import fc from 'fast-check';

/** Values that meet each other often: the interesting cases are equal, almost equal, empty and odd ones. */
const oddTexts = [
  '',
  ' ',
  'a',
  'A',
  'ab',
  'aB',
  'a%b',
  'a_b',
  'axb',
  'a\\b',
  '%',
  '_',
  '\\',
  'a\nb',
  "o'b",
  '"',
  '$uid',
  'null',
  'ä',
  'Ä',
  'a\u0308',
  'ß',
  'SS',
  'İ',
  'i',
  'I',
  'ı',
  'Σ',
  'σ',
  'ς',
  'ΑΣ',
  '😀',
  '\uffee',
  '\u{10ffff}',
  '中文',
  '0',
  '10.5',
];
export const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
);
export const state = fc.constantFrom('draft', 'done');
export const reference = fc.constantFrom('x.node,1', 'x.node,2', 'x.tag,1');
export const integer = fc.constantFrom(-1, 0, 1, 2, 3, 10, 11, 2147483647, -2147483648);
export const float = fc.constantFrom(-0.5, 0, 0.1, 0.30000000000000004, 1, 1.5, 1e300, -1e-300);
export const decimal = fc.constantFrom('-1', '0', '0.1', '0.3', '0.300001', '10.5', '123456789012345678.123456');
export const day = fc.constantFrom('0001-01-01', '2024-02-29', '2026-03-29', '2026-11-14', '2026-11-15', '9999-12-31');
export const instant = fc.constantFrom(
  '2026-03-28T23:00:00.000Z',
  '2026-11-13T23:00:00.000Z',
  '2026-11-14T00:00:00.000Z',
  '2026-11-14T09:30:00.123Z',
);
export const id = fc.integer({ min: 1, max: 7 });

const wildIds = fc.oneof({ weight: 6, arbitrary: id }, { weight: 1, arbitrary: fc.constantFrom(0, -3, 2 ** 31, 1e18) });
const operands = {
  text: text.filter((value) => !value.startsWith('$')),
  integer: fc.oneof(integer, fc.constantFrom(1.5, -0.5, 1e20, -1e300, 4294967296)),
  float,
  decimal: fc.oneof(decimal, fc.constantFrom(0.1, 0.3, 10.5, 1e20, -1, '0.3000', '+10.50')),
  boolean: fc.boolean(),
  date: day,
  datetime: fc.oneof(
    instant,
    day.filter((value) => value > '0002' && value < '9999'),
    fc.constant('2026-11-14T10:30:00.123+01:00'),
  ),
  record: fc.oneof(
    { weight: 3, arbitrary: wildIds },
    { weight: 1, arbitrary: text.filter((value) => !value.startsWith('$')) },
  ),
} as const;
type OperandKind = keyof typeof operands;

const fieldKinds: Readonly<Record<string, OperandKind | 'opaque'>> = {
  name: 'text',
  note: 'text',
  state: 'text',
  ref: 'text',
  node_code: 'text',
  display_name: 'text',
  label: 'text',
  code: 'text',
  id: 'integer',
  qty: 'integer',
  line_qty: 'integer',
  line_count: 'integer',
  ratio: 'float',
  amount: 'decimal',
  flag: 'boolean',
  is_big: 'boolean',
  day: 'date',
  at: 'datetime',
  blob: 'opaque',
  data: 'opaque',
  node_id: 'record',
  parent_id: 'record',
  item_id: 'record',
  line_ids: 'record',
  tag_ids: 'record',
  item_ids: 'record',
};

const direct = [
  'id',
  'name',
  'note',
  'state',
  'ref',
  'qty',
  'ratio',
  'amount',
  'flag',
  'day',
  'at',
  'blob',
  'data',
  'node_id',
  'line_ids',
  'tag_ids',
  'node_code',
  'line_qty',
  'line_count',
  'is_big',
  'display_name',
];
const dotted = [
  'node_id.name',
  'node_id.code',
  'node_id.display_name',
  'node_id.parent_id',
  'node_id.parent_id.name',
  'node_id.parent_id.parent_id.code',
  'node_id.item_ids',
  'node_id.item_ids.qty',
  'node_id.item_ids.flag',
  'line_ids.label',
  'line_ids.qty',
  'line_ids.node_id',
  'line_ids.node_id.name',
  'line_ids.node_id.item_ids.at',
  'line_ids.item_id.amount',
  'line_ids.display_name',
  'tag_ids.name',
  'line_ids.item_id.tag_ids',
  'line_ids.item_id.line_qty',
];

const order = ['<', '<=', '>', '>='] as const;
const digits = fc.constantFrom('', '-', '1', '0', '.3', '10', '10.5', '0.1', '000', '%1_', '147', '123456');
const like = ['like', 'ilike', 'not like', 'not ilike', '=like', '=ilike'] as const;
const nothing = fc.constantFrom(null, false);

function condition(path: string, withTrees: boolean): fc.Arbitrary<unknown> {
  const kind = fieldKinds[path.split('.').at(-1) as string] as OperandKind | 'opaque';
  const triple = (operators: readonly DomainOperator[], value: fc.Arbitrary<unknown>) =>
    fc.tuple(fc.constant(path), fc.constantFrom(...operators), value);
  if (kind === 'opaque') return triple(['=', '!='], nothing);
  const operand = operands[kind];
  const choices = [
    {
      weight: 3,
      arbitrary: triple(['=', '!='], fc.oneof({ weight: 3, arbitrary: operand }, { weight: 1, arbitrary: nothing })),
    },
    {
      weight: 2,
      arbitrary: triple(
        ['in', 'not in'],
        fc.array(fc.oneof({ weight: 5, arbitrary: operand }, { weight: 1, arbitrary: nothing }), { maxLength: 4 }),
      ),
    },
  ];
  if (kind !== 'boolean' && kind !== 'record') choices.push({ weight: 3, arbitrary: triple(order, operand) });
  if (kind === 'text' || kind === 'record') choices.push({ weight: 4, arbitrary: triple(like, text) });
  if (kind === 'integer' || kind === 'float' || kind === 'decimal')
    choices.push({ weight: 2, arbitrary: triple(like, digits) });
  if (withTrees && /(^|\.)(node_id|parent_id)$/.test(path)) {
    const ids = fc.oneof(wildIds, fc.array(wildIds, { maxLength: 3 }));
    choices.push({ weight: 3, arbitrary: triple(['child_of', 'parent_of'], ids) });
  }
  return fc.oneof(...choices);
}

/** Domains in wire form, with nested logic over every field, operator and kind of path. */
export function arbitraryDomain(options: { readonly withTrees: boolean }): fc.Arbitrary<readonly unknown[]> {
  const leaf = fc
    .oneof({ weight: 3, arbitrary: fc.constantFrom(...direct) }, { weight: 2, arbitrary: fc.constantFrom(...dotted) })
    .chain((path) => condition(path, options.withTrees))
    .map((one) => [one]);
  const { tree } = fc.letrec<{ tree: readonly unknown[] }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 3, arbitrary: leaf },
      { weight: 1, arbitrary: tie('tree').map((inner) => ['!', ...inner]) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom('&', '|'), tie('tree'), tie('tree'))
          .map(([operator, left, right]) => [operator, ...left, ...right]),
      },
    ),
  }));
  return fc.array(tree, { minLength: 0, maxLength: 2 }).map((parts) => parts.flat());
}
