import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const uomCategoryFields = {
  name: fields.char({ required: true, unique: true, size: 100, translated: true }),
  uom_ids: fields.one2many('product.uom', 'category_id', { label: 'Units' }),
};

export interface ProductUomCategory extends FieldsOf<typeof uomCategoryFields> {}
declare module '@kontor/addon' {
  interface Models {
    'product.uom.category': ProductUomCategory;
  }
}

export const productUomCategory = defineModel('product.uom.category', {
  label: 'Kind of unit',
  cached: true,
  noCompany: 'Units are the same for everyone.',
  order: 'name',
  fields: uomCategoryFields,
});
