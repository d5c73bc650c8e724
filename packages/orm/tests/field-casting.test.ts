import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadValue, Decimal, type FieldSpec, fields } from '../index.ts';
import { cast, fieldOf, refusal } from './cast-field.ts';

const wrongTypes = {
  text: [1, true, [], {}],
  number: ['1', true, [], {}, Number.NaN, Number.POSITIVE_INFINITY],
};

describe('REC-10 null empties every field', () => {
  const specs: Record<string, FieldSpec> = {
    char: fields.char(),
    text: fields.text(),
    html: fields.html(),
    integer: fields.integer(),
    float: fields.float(),
    decimal: fields.decimal(),
    monetary: fields.monetary(),
    date: fields.date(),
    datetime: fields.datetime(),
    selection: fields.selection({ a: 'A' }),
    binary: fields.binary(),
    image: fields.image(),
    json: fields.json(),
    many2one: fields.many2one('test.target'),
    reference: fields.reference(),
  };
  it.each(Object.entries(specs))('%s', (_type, spec) => {
    const given = fieldOf(spec);
    for (const nothing of [null, undefined]) {
      const value = given.kind.cast(nothing, given);
      expect(value).toBeNull();
      expect(given.kind.isEmpty(value)).toBe(true);
      expect(given.kind.toParameter(value)).toBeNull();
    }
    expect(given.kind.fromCell(null)).toBeNull();
  });
});

describe('REC-10 char and text', () => {
  it('takes text as it is, untrimmed', () => {
    expect(cast(fields.char(), '  a\nb 😀')).toBe('  a\nb 😀');
    expect(cast(fields.text(), 'x'.repeat(100_000))).toHaveLength(100_000);
  });
  it.each(wrongTypes.text)('refuses %j', (value) => {
    expect(refusal(fields.char(), value)).toBe('Must be text.');
    expect(refusal(fields.text(), value)).toBe('Must be text.');
  });
  it('refuses null bytes and half characters', () => {
    expect(refusal(fields.char(), 'a\0b')).toContain('null bytes');
    expect(refusal(fields.text(), 'a\ud800')).toContain('half of a character');
  });
  it('counts characters, not code units', () => {
    expect(cast(fields.char({ size: 2 }), '😀😀')).toBe('😀😀');
    expect(refusal(fields.char({ size: 2 }), 'abc')).toBe('At most 2 characters; this has 3.');
  });
  it('is kept as `clean` makes it, before its size is checked', () => {
    const login = fields.char({ size: 3, clean: (given) => given.trim().toLowerCase() });
    expect(cast(login, '  ADA ')).toBe('ada');
    expect(refusal(login, ' Grace')).toBe('At most 3 characters; this has 5.');
    expect(refusal(login, 5)).toBe('Must be text.');
  });
  it('has a column that fits', () => {
    const sized = fieldOf(fields.char({ size: 64 }));
    expect(sized.kind.column(sized)).toBe('varchar(64)');
    expect(fieldOf(fields.char()).kind.column(fieldOf(fields.char()))).toBe('text');
  });
  it('counts blank as empty', () => {
    expect(fieldOf(fields.char()).kind.isEmpty('  ')).toBe(true);
    expect(fieldOf(fields.char()).kind.isEmpty('a')).toBe(false);
  });
});

describe('REC-10 html is sanitised when it is written', () => {
  it.each([
    ['<p onclick="x()">a</p>', '<p>a</p>'],
    ['<script>alert(1)</script><b>b</b>', '<b>b</b>'],
    ['<a href="javascript:alert(1)">a</a>', '<a rel="noopener">a</a>'],
    ['<a href="https://example.com" target="_top">a</a>', '<a href="https://example.com" rel="noopener">a</a>'],
    ['<a href="tel:+491">a</a>', '<a href="tel:+491" rel="noopener">a</a>'],
    ['<a href="//evil.example">a</a>', '<a rel="noopener">a</a>'],
    ['<a href="data:text/html,x">a</a>', '<a rel="noopener">a</a>'],
    ['<img src=x onerror=alert(1)><svg onload=alert(1)></svg><iframe src="x"></iframe>', ''],
    ['<p style="background:url(x)" class="a">a</p>', '<p>a</p>'],
    ['<math><mi//xlink:href="data:x,<script>alert(4)</script>">', ''],
    ['a < b & c', 'a &lt; b &amp; c'],
    ['<ul><li>a</li></ul>', '<ul><li>a</li></ul>'],
  ])('%s', (given, expected) => {
    expect(cast(fields.html(), given)).toBe(expected);
  });
  it('says the same when it is written twice', () => {
    const once = cast(fields.html(), '<p>a &amp; <a href="https://e.org">b</a><br></p>');
    expect(cast(fields.html(), once)).toBe(once);
  });
  it('counts an empty editor as empty', () => {
    const { kind } = fieldOf(fields.html());
    expect(kind.isEmpty('<p><br /></p>')).toBe(true);
    expect(kind.isEmpty('<p>&nbsp;</p>')).toBe(true);
    expect(kind.isEmpty('<p>a</p>')).toBe(false);
  });
});

describe('REC-10 integer and float', () => {
  it('takes whole numbers of four bytes', () => {
    expect(cast(fields.integer(), 2 ** 31 - 1)).toBe(2147483647);
    expect(cast(fields.integer(), -(2 ** 31))).toBe(-2147483648);
    expect(Object.is(cast(fields.integer(), -0), 0)).toBe(true);
    for (const value of [2 ** 31, -(2 ** 31) - 1]) expect(refusal(fields.integer(), value)).toContain('2147483647');
    expect(refusal(fields.integer(), 1.5)).toBe('Must be a whole number.');
  });
  it.each(wrongTypes.number)('refuses %j', (value) => {
    expect(refusal(fields.integer(), value)).toBe('Must be a whole number.');
    expect(refusal(fields.float(), value)).toBe('Must be a number.');
  });
  it('keeps to min and max', () => {
    expect(refusal(fields.integer({ min: 1, max: 5 }), 0)).toBe('At least 1.');
    expect(refusal(fields.float({ min: 1, max: 5 }), 5.1)).toBe('At most 5.');
    expect(cast(fields.float({ min: 1, max: 5 }), 5)).toBe(5);
  });
  it('writes floats as JSON numbers', () => {
    expect(fieldOf(fields.float()).kind.cellToJson(1e21)).toBe('1e+21');
    expect(fieldOf(fields.integer()).kind.cellToJson(7)).toBe('7');
  });
});

describe('REC-10 decimal and monetary are exact', () => {
  it.each([
    [0.1, '0.1'],
    ['0.1', '0.1'],
    ['12345678901234567890.12', '12345678901234567890.12'],
    [123456789012345, '123456789012345'],
    ['+1.50', '1.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    ['1e3', '1000'],
    [1e21, '1000000000000000000000'],
    [-0, '0'],
    ['-0.00', '0'],
  ])('takes %j', (value, text) => {
    const given = fieldOf(fields.decimal());
    const number = given.kind.cast(value, given);
    expect(number).toBeInstanceOf(Decimal);
    expect(given.kind.toParameter(number)).toBe(text);
  });
  it.each(['', ' 1', '1,5', 'abc', '0x10', 'NaN', 'Infinity', '1e', '.', '--1', '1e99999', '9'.repeat(301)])(
    'refuses %j',
    (value) => {
      expect(refusal(fields.decimal(), value)).toMatch(/^Must be a number/);
    },
  );
  it('refuses numbers that binary floating point has bent', () => {
    expect(refusal(fields.decimal(), 0.1 + 0.2)).toContain('15 digits');
    expect(refusal(fields.decimal(), Number.NaN)).toBe('Must be a finite number.');
    expect(refusal(fields.decimal(), true)).toBe('Must be a number.');
  });
  it('refuses exponents out of range', () => {
    expect(refusal(fields.decimal(), '1e101')).toContain('100 digits');
    expect(refusal(fields.decimal(), 1e-300)).toContain('100 digits');
  });
  it('refuses more decimals than the scale from outside, and rounds those of server code half up', () => {
    const spec = fields.decimal({ precision: [6, 2] });
    expect(refusal(spec, '1.005')).toBe('At most 2 decimals.');
    expect(refusal(spec, 1.005)).toBe('At most 2 decimals.');
    expect(String(cast(spec, '1.500'))).toBe('1.5');
    expect(String(cast(spec, new Decimal('1.005')))).toBe('1.01');
    expect(String(cast(spec, new Decimal('-1.005')))).toBe('-1.01');
    expect(refusal(fields.decimal({ precision: [3, 0] }), 1.5)).toBe('Must be a number without decimals.');
  });
  it('takes a decimal as it would by rounding and comparing it, whatever its digits', () => {
    const given = fieldOf(fields.decimal({ precision: [6, 2] }));
    const digits = fc.tuple(fc.constantFrom('', '-'), fc.nat(120_000), fc.stringMatching(/^[0-9]{0,4}$/));
    fc.assert(
      fc.property(digits, ([sign, whole, part]) => {
        const value = new Decimal(`${sign}${whole}${part === '' ? '' : `.${part}`}`);
        const rounded = value.round(2, Decimal.roundHalfUp);
        const taken = () => given.kind.cast(value, given) as Decimal;
        if (rounded.abs().gte(10_000)) expect(taken).toThrow(BadValue);
        else expect([taken().toFixed(), taken().s]).toEqual([rounded.toFixed(), rounded.eq(0) ? 1 : rounded.s]);
      }),
    );
  });

  it('refuses more digits than the precision, also after rounding', () => {
    const spec = fields.decimal({ precision: [6, 2] });
    expect(String(cast(spec, 9999.99))).toBe('9999.99');
    expect(refusal(spec, 10_000)).toBe('At most 4 digits before the point.');
    expect(refusal(spec, new Decimal('9999.999'))).toBe('At most 4 digits before the point.');
  });
  it('holds money to four decimals unless it says otherwise', () => {
    const money = fieldOf(fields.monetary());
    expect(money.kind.column(money)).toBe('numeric(20,4)');
    expect(String(cast(fields.monetary(), 12.3456))).toBe('12.3456');
    expect(refusal(fields.monetary(), 12.34567)).toBe('At most 4 decimals.');
  });
  it('keeps to min and max', () => {
    expect(refusal(fields.monetary({ min: 0 }), -0.01)).toBe('At least 0.');
    expect(refusal(fields.decimal({ max: 1 }), '1.0000001')).toBe('At most 1.');
  });
  it.each([
    ['12.5000', '12.5'],
    ['100', '100'],
    ['0.0000', '0'],
    ['-7.10', '-7.1'],
    ['12345678901234567890.1234', '12345678901234567890.1234'],
  ])('writes the cell %s as the JSON number %s', (cell, json) => {
    expect(fieldOf(fields.monetary()).kind.cellToJson(cell)).toBe(json);
  });
});

describe('REC-10 boolean', () => {
  it('is true or false; nothing is false', () => {
    expect(cast(fields.boolean(), true)).toBe(true);
    expect(cast(fields.boolean(), null)).toBe(false);
    expect(fieldOf(fields.boolean()).spec.default).toBe(false);
    for (const value of [0, 1, 'true', '']) expect(refusal(fields.boolean(), value)).toBe('Must be true or false.');
  });
});
