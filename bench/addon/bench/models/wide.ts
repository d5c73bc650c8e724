import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const kinds = [
  (label: string) => fields.char({ label }),
  (label: string) => fields.integer({ label }),
  (label: string) => fields.decimal({ label }),
  (label: string) => fields.date({ label }),
  (label: string) => fields.selection({ a: 'A', b: 'B' }, { label }),
];
const fifty = Object.fromEntries(
  Array.from({ length: 50 }, (_, at) => [`w${at}`, kinds[at % kinds.length]?.(`W ${at}`) ?? fields.char({})]),
);

const named = { name: fields.char({ required: true }) };
export interface BenchWide extends FieldsOf<typeof named> {}
declare module '@kontor/addon' {
  interface Models {
    'bench.wide': BenchWide;
    'bench.narrow': BenchWide;
  }
}

/** The same records with fifty fields in code, and with fifty that are added in the browser. */
export const benchWide = defineModel('bench.wide', {
  label: 'Wide record',
  order: 'id',
  fields: { ...named, ...fifty },
});
export const benchNarrow = defineModel('bench.narrow', {
  label: 'Narrow record',
  order: 'id',
  fields: named,
});
