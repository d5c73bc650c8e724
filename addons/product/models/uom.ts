import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const uomFields = {
  name: fields.char({ required: true, size: 60, translated: true }),
  category_id: fields.many2one('product.uom.category', {
    label: 'Kind',
    required: true,
    help: 'Units of one kind can be converted into each other.',
  }),
  factor: fields.decimal({
    required: true,
    default: 1,
    precision: [18, 8],
    help: 'How many reference units one of these contains: 12 for a dozen, 0.001 for a gram if the reference is the kilogram.',
  }),
  rounding: fields.decimal({
    required: true,
    default: '0.01',
    precision: [12, 6],
    help: 'Quantities in this unit are rounded to multiples of it.',
  }),
  unece_code: fields.char({
    label: 'UN/ECE code',
    size: 3,
    help: 'For electronic invoices (Recommendation 20): C62 for pieces, HUR for hours.',
  }),
  active: fields.boolean({ default: true }),
};

export interface ProductUom extends FieldsOf<typeof uomFields> {}
declare module '@kontor/addon' {
  interface Models {
    'product.uom': ProductUom;
  }
}

export const productUom = defineModel('product.uom', {
  label: 'Unit of measure',
  cached: true,
  noCompany: 'Units are the same for everyone.',
  order: 'category_id.name, factor, name',
  fields: uomFields,
  uniques: {
    name_in_kind: { fields: ['name', 'category_id'], message: 'This kind already has a unit with this name.' },
  },
  constraints: {
    factor_is_positive: {
      on: ['factor'],
      holds: ({ factor }) => factor.gt(0),
      message: 'The factor must be more than 0.',
    },
    rounding_is_positive: {
      on: ['rounding'],
      holds: ({ rounding }) => rounding.gt(0),
      message: 'The rounding must be more than 0.',
    },
  },
});
