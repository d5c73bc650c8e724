import { describe, expect, it } from 'vitest';
import { assembleRegistry, defineModel, fields } from '../../index.ts';

describe('FML-3 a compute can be a formula', () => {
  const formulas = (computes: Readonly<Record<string, { readonly formula: string; readonly asServer?: string }>>) =>
    assembleRegistry([
      {
        module: 'test',
        definitions: [
          defineModel('test.order', {
            fields: {
              date: fields.date(),
              active: fields.boolean({ default: true }),
              ends: fields.date({ computed: true, stored: true, editable: true }),
              is_old: fields.boolean({ computed: true, stored: true }),
            },
            computes,
          }),
        ],
      },
    ]).model('test.order').fields;

  it('it reads what the formula reads, and changes with the day if that does', () => {
    const found = formulas({
      ends: { formula: 'date + 14', asServer: 'For everyone.' },
      is_old: { formula: 'date < today()' },
    });
    const compute = found.get('ends')?.editableCompute;
    expect(compute).toMatchObject({ depends: ['date'], asServer: 'For everyone.' });
    const value = (record: object) => compute && 'value' in compute && compute.value(record as never, {} as never);
    expect([value({ id: 1, date: '2026-01-31' }), value({ id: 1, date: null })]).toEqual(['2026-02-14', null]);
    expect(found.get('is_old')?.compute).toMatchObject({ depends: ['date'], changes: 'daily' });
  });

  it('a mistake names the field', () => {
    const ends = { formula: 'dat + 14' };
    expect(() => formulas({ ends, is_old: { formula: 'active' } })).toThrow(
      'model test.order, field ends: its formula: There is no field "dat". Did you mean "date"?',
    );
  });
});
