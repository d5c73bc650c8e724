import {
  assembleRegistry,
  BadValue,
  commonDecimalMark,
  defineModel,
  type Field,
  type FieldSpec,
  fieldKinds,
  fields,
} from '@kontor/orm';
import { type FieldType, unguardCell } from '@kontor/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTable } from '../import/open-table.ts';
import { type Column, notationOf } from '../import/plan-columns.ts';
import { cellReader } from '../import/read-cell.ts';
import { type CellError, readRows } from '../import/read-rows.ts';

const german = notationOf({ lang: 'de_DE', tz: 'Europe/Berlin' });
const american = notationOf({ lang: 'en_US', tz: 'America/New_York' });
const british = notationOf({ lang: 'en_GB', tz: 'UTC' });
type Notation = ReturnType<typeof notationOf>;

/** What a cell of a column of these cells means to a field of a type. */
function read(type: FieldType, cell: string, notation: Notation, column: readonly string[] = [cell]): unknown {
  return fieldKinds[type].fromText(cell, { spec: {} } as Field, { ...notation, mark: () => commonDecimalMark(column) });
}

describe('CSV', () => {
  it('IMP-4 counts rows as a spreadsheet does and leaves blank ones out', () => {
    const table = openTable('sep=;\na;b;\n1;"x\ny"\n\n2\n');
    expect(table.headers).toEqual(['a', 'b']);
    expect([...table.rows()]).toEqual([
      { row: 2, line: 2, cells: ['1', 'x\ny'] },
      { row: 4, line: 5, cells: ['2'] },
    ]);
  });
});

describe('what ends something', () => {
  it('TYP-6 a day without a time is its last minute, in the zone of the person', () => {
    const field = (ends?: true) => ({ spec: { type: 'datetime', ...(ends && { ends }) } }) as unknown as Field;
    const at = (cell: string, ends?: true) =>
      fieldKinds.datetime.fromText(cell, field(ends), { ...german, mark: () => null });
    expect(at('27.11.2026', true)).toBe('2026-11-27T22:59:00.000Z');
    expect(at('27.11.2026 08:00', true)).toBe('2026-11-27T07:00:00.000Z');
    expect(at('27.11.2026')).toBe('2026-11-26T23:00:00.000Z');
  });

  it('TYP-6 names another moment of its model', () => {
    const model = (ends: string) =>
      defineModel('plan.step', {
        fields: { name: fields.char({}), start: fields.datetime({}), stop: fields.datetime({ ends }) },
      } as never);
    const registry = (ends: string) => () =>
      assembleRegistry([{ module: 'plan', definitions: [model(ends)] }] as never);
    expect(registry('start')).not.toThrow(/ends/);
    expect(registry('name')).toThrow('stop ends "name", which is no other datetime of the model.');
  });
});

describe('numbers', () => {
  const number = (cell: string, notation: Notation, column?: readonly string[]) =>
    read('decimal', cell, notation, column);

  it.each([
    ['12.50', american, '12.50'],
    ['1,234.50', american, '1234.50'],
    ['1,234', american, '1234'],
    ['1,5', american, '1.5'],
    ['-7', american, '-7'],
    ['12.50', german, '12.50'],
    ['1.234,50', german, '1234.50'],
    ['1.234.567', german, '1234567'],
    ['1,234', german, '1.234'],
    ['0.125', german, '0.125'],
    ['1 234,5', german, '1234.5'],
    ['\u22125,0', german, '-5.0'],
    ['1e3', american, '1e3'],
  ] as const)('IMP-4 reads %j', (cell, notation, value) => {
    expect(number(cell, notation)).toBe(value);
  });

  it('IMP-4 lets the other cells of a column tell what one means, and refuses what could be two numbers', () => {
    expect(() => number('1.234', german)).toThrow(/1.234 could be 1234 or 1,234/);
    expect(number('1.234', german, ['1.234', '0,50'])).toBe('1234');
    expect(number('1.234', german, ['1.234', '2.5'])).toBe('1.234');
    expect(() => number('1.234', german, ['1.234', '2.5', '2,5'])).toThrow(BadValue);
    expect(read('integer', '1.234', german)).toBe(1234);
  });

  it('IMP-4 a point before three digits is refused where the field has no room for them, as in a form', () => {
    const price = { spec: { type: 'monetary' } } as Field;
    const at = (cell: string, column: readonly string[]) =>
      fieldKinds.monetary.fromText(cell, price, { ...american, mark: () => commonDecimalMark(column) });
    expect(() => at('1.234', ['1.234', '2.500'])).toThrow('1.234 could be 1234 or 1.234. Write 1234 or 1.2340.');
    expect(at('1.2340', ['1.2340'])).toBe('1.2340');
    expect(at('1.234', ['1.234', '0,50'])).toBe('1234');
    expect(number('1.234', american)).toBe('1.234');
  });

  it('TYP-3 hours are read as a person types them', () => {
    const hours = { spec: { type: 'decimal', unit: 'hours', precision: [6, 2] } } as unknown as Field;
    const at = (cell: string) => fieldKinds.decimal.fromText(cell, hours, { ...german, mark: () => null });
    expect(['1:30', '1h30', '90m', '7,5', '1:20'].map(at)).toEqual(['1.5', '1.5', '1.5', '7.5', '1.33']);
    expect(() => number('1:30', german)).toThrow(BadValue);
  });

  it.each(['x', '', '1,2,3', '1.2.3', '12 EUR', '--1', '1,23.4.5'])('IMP-4 refuses %j', (cell) => {
    expect(() => number(cell, american)).toThrow(BadValue);
  });

  it('IMP-4 reads every number as it would be exported', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        const written = `${whole}.${String(cents).padStart(2, '0')}`;
        expect(number(written, german)).toBe(written);
        expect(number(written, american)).toBe(written);
      }),
    );
  });
});

describe('dates and times', () => {
  it.each([
    ['2026-11-14', german, '2026-11-14'],
    ['14.11.2026', german, '2026-11-14'],
    ['1.2.26', german, '2026-02-01'],
    ['11/14/2026', american, '2026-11-14'],
    ['14/11/2026', british, '2026-11-14'],
    ['2026/11/14', american, '2026-11-14'],
  ] as const)('IMP-4 reads the day %j', (cell, notation, day) => {
    expect(read('date', cell, notation)).toBe(day);
  });

  it.each([
    ['2026-11-14T09:30:00Z', american, '2026-11-14T09:30:00.000Z'],
    ['2026-11-14 09:30:00+02:00', american, '2026-11-14T07:30:00.000Z'],
    ['2026-07-14 09:30', german, '2026-07-14T07:30:00.000Z'],
    ['14.1.2026, 09:30', german, '2026-01-14T08:30:00.000Z'],
    ['7/14/2026 9:30 PM', american, '2026-07-15T01:30:00.000Z'],
    ['2026-07-14', german, '2026-07-13T22:00:00.000Z'],
    ['29.3.2026 02:30', german, '2026-03-29T01:30:00.000Z'],
  ] as const)('IMP-4 reads the time %j', (cell, notation, instant) => {
    expect(read('datetime', cell, notation)).toBe(instant);
  });

  it.each(['31.4.2026', 'tomorrow', '2026-13-01', '14.11.2026 25:00', '14.11.2026 9:30 xm'])(
    'IMP-4 refuses %j',
    (cell) => {
      expect(() => read('datetime', cell, german)).toThrow(BadValue);
    },
  );
});

describe('rows', () => {
  const specs = {
    decimal: () => fields.decimal({ precision: [9, 2] }),
    integer: () => fields.integer(),
    float: () => fields.float(),
    date: () => fields.date(),
    datetime: () => fields.datetime(),
    boolean: () => fields.boolean(),
    char: () => fields.char(),
    json: () => fields.json(),
    many2one: () => fields.many2one('test.target'),
  } satisfies Partial<Record<FieldType, () => FieldSpec>>;
  type Typed = keyof typeof specs;
  const made = new Map<string, Field>();
  /** A field as a registry has it. */
  const typed = (type: Typed, name: string): Field => {
    const known = made.get(`${type} ${name}`);
    if (known) return known;
    const target = defineModel('test.target', { fields: { name: fields.char() } });
    const model = defineModel('test.thing', { fields: { [name]: specs[type]() } });
    const registry = assembleRegistry([{ module: 'test', definitions: [target, model] }]);
    const field = registry.model('test.thing').fields.get(name);
    if (!field) throw new Error(`There is no field ${name}.`);
    made.set(`${type} ${name}`, field);
    return field;
  };
  const notation = { ...german, mark: () => ',' as const };
  const readPlainly = (field: Field, cell: string): unknown => {
    try {
      return field.kind.cast(field.kind.fromText(cell, field, notation), field);
    } catch (error) {
      return error;
    }
  };
  const cells = fc.oneof(
    fc.constantFrom('1,5', '0', '-0', '1.234', '31.12.2026', '31.4.2026', 'ja', 'x', '1e3', '{"a":1}', "'=1"),
    fc.string({ minLength: 1, maxLength: 4 }).filter((cell) => cell.trim() !== ''),
  );

  it('IMP-25 a text means what it meant the first time, whatever was read before', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Typed>('decimal', 'integer', 'float', 'date', 'datetime', 'boolean', 'char', 'json'),
        fc.array(cells, { maxLength: 60 }),
        (type, column) => {
          const field = typed(type, 'it');
          const read = cellReader(field, notation);
          const plain = (cell: string) => readPlainly(field, cell);
          const told = (given: unknown) => (given instanceof BadValue ? { why: given.words } : { value: given });
          expect(column.map((cell) => told(read(cell)))).toEqual(column.map((cell) => told(plain(cell))));
        },
      ),
    );
  });

  it('IMP-25 keeps reading when more texts differ than are kept, and shares no value that can be changed', () => {
    const read = cellReader(typed('integer', 'it'), notation);
    const many = Array.from({ length: 5_000 }, (_, n) => String(n));
    expect(many.map(read)).toEqual(many.map(Number));
    expect(many.map(read)).toEqual(many.map(Number));
    const json = cellReader(typed('json', 'it'), notation);
    expect(json('{"a":1}')).toEqual(json('{"a":1}'));
    expect(json('{"a":1}')).not.toBe(json('{"a":1}'));
  });

  it('IMP-25 is told of column by column, relations among the others', async () => {
    const columns = fc.array(
      fc.record({ type: fc.constantFrom<Typed>('decimal', 'date', 'char'), isRelation: fc.boolean() }),
      { minLength: 1, maxLength: 5 },
    );
    const row = fc.array(fc.oneof(fc.constant(''), cells), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(columns, fc.array(row, { minLength: 1, maxLength: 4 }), async (types, rows) => {
        const plan = types.map(({ type, isRelation }, index) => columnOf(type, index, isRelation));
        const given = rows.map((own, at) => ({ row: at + 2, line: at + 2, cells: own }));
        const read = await readRows({ columns: plan, id: null, width: 5 }, given);
        const expected = given.map((own) => inOrder(plan, own.row, own.cells));
        const seen = ({ errors, empty, values }: Expected) => ({ errors, empty, values: Object.entries(values) });
        expect(read.map(({ values, ...rest }) => seen({ ...rest, values: known(values) }))).toEqual(expected.map(seen));
      }),
    );
  });

  interface Expected {
    readonly errors: readonly CellError[];
    readonly empty: readonly string[];
    readonly values: Readonly<Record<string, unknown>>;
  }
  /** Records are found by a name of one letter. */
  const find = (cell: string) => (cell.length === 1 ? cell.charCodeAt(0) : { why: `no ${cell}` });
  const columnOf = (type: Typed, index: number, isRelation: boolean): Column => {
    const field = typed(isRelation ? 'many2one' : type, `f${index}`);
    const lookup = isRelation ? { prepare: async () => {}, find } : null;
    return { index, header: `H${index}`, field, read: cellReader(field, notation), fixes: null, lookup };
  };
  const known = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  /** One column after the other, as they stand in the file. */
  const inOrder = (plan: readonly Column[], row: number, own: readonly string[]): Expected => {
    const errors: CellError[] = [];
    const empty: string[] = [];
    const values: Record<string, unknown> = {};
    for (const { index, header: column, field, lookup } of plan) {
      const cell = unguardCell(own[index] ?? '');
      const text = lookup ? cell.trim() : cell;
      const value = text.trim() === '' ? null : lookup ? find(text) : readPlainly(field, text);
      if (text.trim() === '') empty.push(field.name);
      else if (value instanceof BadValue) errors.push({ row, column, message: value.words });
      else if (lookup && typeof value === 'object')
        errors.push({ row, column, message: (value as { why: string }).why, value: text });
      else values[field.name] = value;
    }
    return { errors, empty, values };
  };
});

describe('TYP-2 days in words', () => {
  it('TYP-2 are read in a file by the day of the import, and a number is none', () => {
    const at = (cell: string, type: 'date' | 'datetime' = 'date') =>
      fieldKinds[type].fromText(cell, { spec: {} } as Field, { ...german, today: '2026-11-14', mark: () => null });
    expect(['21 Dec', 'tomorrow', 'morgen', 'in 3 Wochen', '21. Dezember'].map((cell) => at(cell))).toEqual([
      ...['2026-12-21', '2026-11-15', '2026-11-15', '2026-12-05', '2026-12-21'],
    ]);
    expect(at('21 Dec 09:30', 'datetime')).toBe('2026-12-21T08:30:00.000Z');
    expect(() => at('1.5')).toThrow(BadValue);
  });
});
