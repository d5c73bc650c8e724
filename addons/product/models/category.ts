import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const categoryFields = {
  name: fields.char({ required: true, size: 100 }),
  parent_id: fields.many2one('product.category', { label: 'Parent category' }),
  child_ids: fields.one2many('product.category', 'parent_id', { label: 'Subcategories' }),
  full_name: fields.char({ computed: true, stored: true, label: 'Full name' }),
  path: fields.char({ computed: true, stored: true, index: true, help: 'Ids from the root down, such as /1/4/.' }),
  product_ids: fields.one2many('product.product', 'category_id', { label: 'Products' }),
  product_count: fields.integer({ computed: true, label: 'Products' }),
};

export interface ProductCategory extends FieldsOf<typeof categoryFields> {}
declare module '@kontor/addon' {
  interface Models {
    'product.category': ProductCategory;
  }
}

export const productCategory = defineModel('product.category', {
  label: 'Product category',
  cached: true,
  noCompany: 'Categories are shared; products are not.',
  order: 'full_name',
  displayName: '{full_name}',
  fields: categoryFields,
  computes: {
    full_name: {
      depends: ['name', 'parent_id.full_name'],
      value: ({ name, parent_id }) => (parent_id ? `${parent_id.full_name} / ${name ?? ''}` : (name ?? '')),
    },
    path: {
      depends: ['parent_id.path'],
      value: ({ id, parent_id }) => `${parent_id?.path ?? '/'}${id}/`,
    },
    product_count: { count: 'product_ids' },
  },
  uniques: {
    name_in_parent: { fields: ['name', 'parent_id'], message: 'A category with this name already exists here.' },
  },
});
