import { defineModel, fields } from '@kontor/addon';

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

/** The same records with fifty fields in code, and with fifty that are added in the browser. */
export const benchWide = defineModel('bench.wide', {
  label: 'Wide record',
  order: 'id',
  fields: { name: fields.char({ required: true }), ...fifty },
});
export const benchNarrow = defineModel('bench.narrow', {
  label: 'Narrow record',
  order: 'id',
  fields: { name: fields.char({ required: true }) },
});
