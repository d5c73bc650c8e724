import fc, { type Arbitrary } from 'fast-check';

/** Texts that mean something to somebody on the way: SQL, JSON, JavaScript, HTTP, the file system. */
export const hostileTexts: readonly string[] = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    '\u202e',
    '😀',
    '%',
    '_',
    '\\',
    "'",
    '"',
    ';',
    '--',
    '/*',
    '$1',
    '#{x}',
    '{{x}}',
  ],
  ...[
    "' or '1'='1",
    "'; drop table shop_order; --",
    '") or true --',
    'x'.repeat(300),
    'x'.repeat(5_000),
    '../../etc/passwd',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'null',
    'undefined',
    'NaN',
    '-0',
    '1e999',
    '0x10',
    '\r\nset-cookie: a=b',
  ],
  ...[
    '2026-11-14',
    '2026-02-30',
    '0000-00-00',
    '99999-01-01',
    '2026-11-14T09:30:00Z',
    '24:00',
    '$uid',
    '$today',
    '$company_ids',
  ],
];

export const oddNumbers: readonly number[] = [
  ...[0, -0, 1, -1, 1.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 53 + 2, 1e21, 1e308, -1e308, 5e-324, 0.1],
];

const scalar: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(...oddNumbers),
  fc.constantFrom<unknown>(null, true, false),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

export const anything: Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom('name', '__proto__', ...hostileTexts.slice(0, 12)), scalar, {
      maxKeys: 2,
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>([[[[]]]], [{}], { a: { b: { c: [1] } } }, [['id', '=', 1]]) },
);

/** The given, and now and then something else entirely. */
export function mostly<T>(usual: Arbitrary<T>): Arbitrary<unknown> {
  return fc.oneof({ weight: 40, arbitrary: usual as Arbitrary<unknown> }, { weight: 1, arbitrary: anything });
}
