import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const tagFields = {
  name: fields.char({ required: true, unique: true }),
  parent_id: fields.many2one('shop.tag'),
};
export interface ShopTag extends FieldsOf<typeof tagFields> {}
declare module '@kontor/addon' {
  interface Models {
    'shop.tag': ShopTag;
  }
}

export const shopTag = defineModel('shop.tag', { label: 'Tag', fields: tagFields });
