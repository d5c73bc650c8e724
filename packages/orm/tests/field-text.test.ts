import { fieldTypes } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import { BadValue, Decimal, type FieldSpec, fieldKinds, fields } from '../index.ts';
import { fieldOf } from './cast-field.ts';

const state = fields.selection({ draft: 'Quotation', sale: 'Sales order' });
const german = { dateOrder: ['day', 'month', 'year'], tz: 'Europe/Berlin', decimal: ',', mark: () => null } as const;

function read(spec: FieldSpec, text: string, notation: Parameters<(typeof fieldKinds)['char']['fromText']>[2]) {
  const field = fieldOf(spec);
  return field.kind.cast(field.kind.fromText(text, field, notation), field);
}

describe('REC-10 a field type reads what people write', () => {
  it.each([
    [fields.char(), ' 007 ', ' 007 '],
    [fields.integer(), ' 12 ', 12],
    [fields.float(), '1.5e3', 1500],
    [fields.monetary(), '12.50', new Decimal('12.5')],
    [fields.boolean(), 'TRUE', true],
    [fields.boolean(), '0', false],
    [fields.date(), '2026-11-14', '2026-11-14'],
    [fields.datetime(), '2026-11-14T09:30:00+02:00', '2026-11-14T07:30:00.000Z'],
    [state, 'sale', 'sale'],
    [fields.json(), '{"a":[1]}', { a: [1] }],
    [fields.many2one('test.target'), '7', 7],
    [fields.reference(), 'test.target,7', 'test.target,7'],
  ])('in its plain form: %j', (spec, text, value) => {
    expect(read(spec, text, null)).toEqual(value);
  });

  it.each([
    [fields.integer(), '1,5'],
    [fields.boolean(), 'ja'],
    [fields.date(), '14.11.2026'],
    [state, 'Sales order'],
    [fields.json(), '{'],
    [fields.many2one('test.target'), 'Ada'],
  ])('and nothing else without a notation: %j', (spec, text) => {
    expect(() => read(spec, text, null)).toThrow(BadValue);
  });

  it.each([
    [fields.decimal(), '1.234,5', new Decimal('1234.5')],
    [fields.boolean(), 'ja', true],
    [fields.date(), '14.11.2026', '2026-11-14'],
    [fields.datetime(), '25.10.2026 02:30', '2026-10-25T00:30:00.000Z'],
    [state, 'sales ORDER', 'sale'],
  ])('as they write it where it is known who they are: %j', (spec, text, value) => {
    expect(read(spec, text, german)).toEqual(value);
  });

  it('and writes it so that it can be read again', () => {
    expect(fieldKinds.monetary.toText(new Decimal('12.50'))).toBe('12.5');
    expect(fieldKinds.json.toText({ a: 'x' })).toBe('{"a":"x"}');
    expect(fieldKinds.json.toText('x')).toBe('"x"');
    expect(fieldKinds.boolean.toText(false)).toBe('false');
  });
});

describe('REC-10 what a field type is', () => {
  const named = (trait: keyof (typeof fieldTypes)['char']) =>
    Object.entries(fieldTypes).flatMap(([name, traits]) => (traits[trait] === true ? [name] : []));

  it('is said once for server and browser', () => {
    for (const [name, traits] of Object.entries(fieldTypes))
      expect(fieldKinds[name as keyof typeof fieldTypes]).toMatchObject(traits);
    expect(named('isNumber')).toEqual(['integer', 'float', 'decimal', 'monetary']);
    expect(named('isList')).toEqual(['one2many', 'many2many']);
    expect(named('isRelation')).toEqual(['many2one', 'one2many', 'many2many']);
    expect(named('isDate')).toEqual(['date', 'datetime']);
    expect(named('isOpaque')).toEqual(['binary', 'image', 'json']);
    expect(named('isText')).toEqual(['char', 'text', 'html']);
  });
});
