import fc from 'fast-check';
import type { AnyCall } from './two-ways.ts';

export const depotItem = 'depot.item';

export interface Call extends AnyCall {
  readonly by: 'admin' | 'worker';
}

const textValue = fc.oneof(
  fc.string({ maxLength: 45 }),
  fc.constantFrom(
    '',
    ' ',
    "it's",
    '"quoted" \\ back',
    'ä€😀',
    'line\nbreak\ttab',
    '\u0000',
    '\ud800',
    '{"a":1}',
    null,
    7,
  ),
);
const numberValue = fc.oneof(
  fc.integer({ min: -6, max: 12 }),
  fc.constantFrom(
    0,
    -0,
    1.5,
    0.1,
    1e21,
    1e-7,
    123456789.125,
    2 ** 31,
    null,
    '3',
    '12.50',
    '12.505',
    true,
    Number.MAX_VALUE,
  ),
);
const dayValue = fc.constantFrom('2026-01-01', '0001-01-01', '9999-12-31', '2026-02-30', '2026-1-1', null, 5);
const instantValue = fc.constantFrom(
  ...['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.1204+02:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
  ...['2026-01-01', '2026-01-01T00:00:00', null],
);
const flagValue = fc.constantFrom(true, false, null, 'yes');
const one = (...ids: unknown[]) => fc.constantFrom(...ids, null, false, 999_999, 'x');
const mostly = <T>(good: fc.Arbitrary<T>, other: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 7, arbitrary: good as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: other });
const goodText = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom("it's", '"quoted" \\ back', 'ä€😀', 'line\nbreak', ''),
);
const byField = {
  name: mostly(goodText, textValue),
  code: fc.constantFrom('c1', 'c2', null, ''),
  state: fc.constantFrom('open', 'shut', 'lost', null),
  grade: mostly(fc.constantFrom('a', 'b', null), fc.constantFrom('a', 'b', 'z', null, '')),
  level: mostly(fc.integer({ min: -5, max: 9 }), numberValue),
  rate: mostly(fc.constantFrom(0, 1.5, 0.1, 1e21, 1e-7, -3, null), numberValue),
  price: mostly(fc.constantFrom(0, 1.5, '12.50', 3, '-0.10', null), numberValue),
  exact: mostly(fc.constantFrom(0, '1.500', '0.0001', '100', 1e21, null), numberValue),
  day: mostly(fc.constantFrom('2026-01-01', '0001-01-01', '9999-12-31', null), dayValue),
  at: mostly(fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.1204+02:00', null), instantValue),
  is_heavy: mostly(fc.boolean(), flagValue),
  note: mostly(goodText, textValue),
  page: fc.constantFrom('<p>one</p>', '<script>x</script>', '<p><br></p>', null, ''),
  extra: fc.constantFrom({ a: [1, 1.5] }, [], 'x', null, 1e21),
  secret: textValue,
  margin: mostly(fc.constantFrom(0, 2.5, null), numberValue),
  shelf_id: one(1, 2, 3, 4),
  owner_id: one(1, 2),
  company_id: one(1, 2),
  crate_ids: fc.constantFrom([], [['clear']], null),
  write_date: instantValue,
  id: fc.constantFrom(1, null),
  nonsense: fc.constant(1),
} as const;
type FieldName = keyof typeof byField;
const names = Object.keys(byField) as FieldName[];
const usual: readonly FieldName[] = [
  'level',
  'rate',
  'price',
  'exact',
  'day',
  'at',
  'is_heavy',
  'note',
  'page',
  'grade',
  'margin',
  'shelf_id',
  'owner_id',
];

const valuesOf = (some: readonly FieldName[], most: number) =>
  fc
    .shuffledSubarray([...some], { minLength: 0, maxLength: most })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, byField[name]]))));
const values = fc.oneof(
  { weight: 4, arbitrary: valuesOf(usual, 4) },
  { weight: 1, arbitrary: valuesOf(names, 5) },
) as fc.Arbitrary<Record<string, unknown>>;
const who = fc.constantFrom('admin', 'worker') as fc.Arbitrary<Call['by']>;
const create: fc.Arbitrary<Call> = fc.tuple(who, values, fc.boolean()).map(([by, given, isNamed]) => ({
  by,
  model: depotItem,
  method: 'create',
  args: [isNamed ? { name: 'new', ...given } : given],
}));
const write: fc.Arbitrary<Call> = fc
  .tuple(who, fc.constantFrom(1, 1, 1, 2, 3, 4, 5, 77), values, fc.option(values, { freq: 4 }))
  .map(([by, id, given, base]) => ({
    by,
    model: depotItem,
    method: 'write',
    args: [[id], given],
    kwargs: base ? { base } : {},
  }));
const anyCall = fc.oneof({ weight: 2, arbitrary: create }, { weight: 3, arbitrary: write });

/** Calls on items, most of them right. */
export function someCalls(seed: number, count: number): readonly Call[] {
  return withKeys(fc.sample(anyCall, { seed, numRuns: count }));
}

/** Every third call has a key against repetition; some of them are sent again, or their key with another call. */
export function withKeys<C extends AnyCall>(calls: readonly C[]): readonly C[] {
  return calls.flatMap((call, at) => {
    if (at % 3 > 0) return [call];
    const keyed = { ...call, key: at % 21 === 0 ? 'again' : `key ${at}` };
    return at % 9 === 0 ? [keyed, keyed] : [keyed];
  });
}
