import { defineModel, fields, type RecordOf } from '@kontor/addon';

const tagFields = {
  name: fields.char({ required: true, unique: true }),
  parent_id: fields.many2one('shop.tag'),
};
export interface ShopTag extends RecordOf<typeof tagFields> {}
declare module '@kontor/addon' {
  interface Models {
    'shop.tag': ShopTag;
  }
}

export const shopTag = defineModel('shop.tag', { label: 'Tag', fields: tagFields });
