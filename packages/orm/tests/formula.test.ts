import { inEnglish } from '@kontor/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldSpec } from '../fields/spec.ts';
import { compileFormula, Decimal, FormulaError, formulaLimits, formulaPaths, renameInFormula } from '../index.ts';

const order: Readonly<Record<string, FieldSpec>> = {
  name: { type: 'char' },
  qty: { type: 'integer' },
  price: { type: 'monetary' },
  rate: { type: 'float' },
  isDone: { type: 'boolean' },
  done: { type: 'boolean' },
  day: { type: 'date' },
  due: { type: 'date' },
  start: { type: 'datetime' },
  stop: { type: 'datetime' },
  state: { type: 'selection', selection: { draft: 'Draft', won: 'Won' } },
  partner_id: { type: 'many2one', relation: 'partner' },
  line_ids: { type: 'one2many', relation: 'line', inverse: 'order_id' },
  notes: { type: 'html' },
  code: { type: 'char', secret: true },
};
const models: Readonly<Record<string, Readonly<Record<string, FieldSpec>>>> = {
  order,
  partner: { city: { type: 'char' }, limit: { type: 'decimal' }, parent_id: { type: 'many2one', relation: 'partner' } },
};
const scope = {
  model: 'order',
  fieldsOf: (model: string) => (models[model] ? new Map(Object.entries(models[model])) : undefined),
};
const record = {
  id: 1,
  ...{ name: 'Desk', qty: 3, price: new Decimal('0.10'), rate: 0.5, done: true, day: '2026-01-31', due: null },
  ...{ start: '2026-01-01T08:00:00Z', stop: '2026-01-01T10:30:00Z', state: 'won' },
  partner_id: { id: 7, city: 'Kiel', limit: null, parent_id: null },
};
const compile = (source: string, type: FieldSpec['type'] = 'decimal', more: object = {}) =>
  compileFormula(source, { type, ...more }, scope);
const value = (source: string, type?: FieldSpec['type'], more?: object) => {
  const found = compile(source, type, more).run(record as never, { today: '2026-02-10' } as never);
  return found instanceof Decimal ? found.toFixed() : found;
};
const mistake = (source: string, type?: FieldSpec['type']): string => {
  try {
    compile(source, type);
    return 'none';
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return `${source.slice(error.from, error.to)}: ${inEnglish(error.problem)}`;
  }
};

describe('FML-1 values of formulas', () => {
  it.each([
    ['price * qty', 'decimal', '0.3'],
    ['price + 0.2', 'decimal', '0.3'],
    ['price * 3 - 0.3 = 0', 'boolean', true],
    ['qty * 2 + -1', 'integer', 5],
    ['10 / 4', 'decimal', null],
    ['qty / 4', 'decimal', '0.75'],
    ['qty / 0', 'decimal', null],
    ['qty % 2', 'integer', 1],
    ['2 + qty * 2', 'integer', 8],
    ['(2 + qty) * 2', 'integer', 10],
    ['qty - 1 - 1', 'integer', 1],
    ['round(price * 1.19, 2)', 'decimal', '0.12'],
    ['floor(rate * -1)', 'integer', -1],
    ['ceil(rate)', 'integer', 1],
    ['max(qty, 5)', 'integer', 5],
    ['min(qty, partner_id.limit)', 'decimal', '3'],
    ['rate * 2', 'float', 1],
    ["name + ' in ' + partner_id.city", 'char', 'Desk in Kiel'],
    ["name + ' ' + text(qty)", 'char', 'Desk 3'],
    ['upper(left(name, 2))', 'char', 'DE'],
    ['right(name, 1) + text(length(name))', 'char', 'k4'],
    ["contains(name, 'ES')", 'boolean', true],
    ["if(state = 'won', price, 0)", 'decimal', '0.1'],
    ['not done or qty > 2 and price < 1', 'boolean', true],
    ['not qty = 3', 'boolean', false],
    ['day + 1', 'date', '2026-02-01'],
    ['addmonths(day, 1)', 'date', '2026-02-28'],
    ['today() - day', 'integer', 10],
    ['year(day) * 100 + month(day)', 'integer', 202601],
    ['weekday(day)', 'integer', 6],
    ['hours(start, stop)', 'decimal', '2.5'],
    ['stop > start', 'boolean', true],
    ['partner_id != empty', 'boolean', true],
    ['partner_id.parent_id.city', 'char', null],
  ] as const)('%s', (source, type, expected) => {
    if (source === '10 / 4') expect(mistake(source)).toContain('uses at least one field');
    else expect(value(source, type)).toBe(expected);
  });

  it('FML-2 what is calculated with an empty value is empty; comparisons with it do not hold; texts skip it', () => {
    expect(value('partner_id.limit + 1')).toBeNull();
    expect(value('first(partner_id.limit, 0) + 1')).toBe('1');
    expect([value('due + 1', 'date'), value('due > day', 'boolean'), value('due = empty', 'boolean')]).toEqual([
      ...[null, false, true],
    ]);
    expect(value("name + partner_id.parent_id.city + '!'", 'char')).toBe('Desk!');
    expect([value('isempty(due)', 'boolean'), value('isempty(name)', 'boolean')]).toEqual([true, false]);
  });

  it('FML-2 a value that no field can hold is empty, and texts are cut to their field', () => {
    expect(value(`${'qty * 1000000000 * '.repeat(4)}1`)).toBeNull();
    expect(value('qty * 2000000000', 'integer')).toBeNull();
    expect(value('day + 99999999', 'date')).toBeNull();
    expect(value('name + name', 'char', { size: 5 })).toBe('DeskD');
  });
});

describe('FML-3 mistakes are at their place', () => {
  it.each([
    ['price * qyt', 'qyt: There is no field "qyt". Did you mean "qty"?'],
    ['partner_id.citty', 'citty: There is no field "citty". Did you mean "city"?'],
    ['name * 2', 'name: This is a text, and a number is needed here.'],
    ["state = 'wonn'", `'wonn': There is no choice "wonn". Did you mean "won"?`],
    ['rund(price)', 'rund(price): There is no function "rund". Did you mean "round"?'],
    ['if(done, price)', 'if(done, price): if takes 3 values, not 2.'],
    ['if(done, price, name)', 'name: This is a text, and a number is needed here.'],
    ['price *', ': The formula is not complete.'],
    ['price * (qty', ': ")" is missing.'],
    ['price # 2', '#: "#" is not expected here.'],
    ["name + 'x", "'x: The text does not end."],
    ['price price', 'price: "price" is not expected here.'],
    ['line_ids', 'line_ids: A formula cannot use "line_ids".'],
    ['notes', 'notes: A formula cannot use "notes".'],
    ['code', 'code: "code" is secret.'],
    ['price.name', 'name: "price" is not a link, so nothing can follow it.'],
    ['partner_id.parent_id.parent_id.city', 'city: A path goes through at most 2 links.'],
    ['name', 'name: The formula gives a text, and the field is a number.'],
    ['', ': The formula is not complete.'],
  ])('%s', (source, expected) =>
    expect(mistake(source, source.startsWith('state') ? 'boolean' : 'decimal')).toBe(expected),
  );

  it('a fraction does not fit a whole number', () => {
    expect(mistake('qty / 2', 'integer')).toContain('Use round()');
    expect(mistake('round(qty / 2)', 'integer')).toBe('none');
    expect(mistake('qty', 'many2one')).toContain('cannot have a formula');
  });
});

describe('FML-4 bounds', () => {
  it('length and depth are limited', () => {
    expect(mistake(`qty + ${'1 + '.repeat(300)}1`)).toContain(`at most ${formulaLimits.length} characters`);
    expect(mistake(`${'('.repeat(60)}qty${')'.repeat(60)}`)).toContain('nested too deeply');
    expect(mistake(`${'-'.repeat(100)}qty`)).toContain('nested too deeply');
    expect(mistake(`${'not '.repeat(100)}done`, 'boolean')).toContain('nested too deeply');
  });

  it('no text throws anything but a FormulaError', () => {
    const word = fc.constantFrom(
      'qty',
      'price',
      'name',
      'day',
      '+',
      '-',
      '*',
      '/',
      '(',
      ')',
      ',',
      "'a'",
      'if',
      '=',
      'not',
      '.',
      '1',
      'constructor',
      '__proto__',
      'toString(',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        expect(() => mistake(words.join(' '))).not.toThrow();
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (source) => {
        expect(() => mistake(source)).not.toThrow();
      }),
    );
  });

  it('names in a formula are found and changed, texts in it are not', () => {
    expect(formulaPaths("if(x_a = 'x_a', partner_id.city, name)")).toEqual([['x_a'], ['partner_id', 'city'], ['name']]);
    expect(renameInFormula("x_a + 'x_a' + x_b.x_a", (name) => name.replace('x_', 'acme_'))).toBe(
      "acme_a + 'x_a' + acme_b.acme_a",
    );
  });
});
