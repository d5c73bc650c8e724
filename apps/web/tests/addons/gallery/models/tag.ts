import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const tagFields = { name: fields.char({ required: true, unique: true }), color: fields.integer({}) };
export interface GalleryTag extends FieldsOf<typeof tagFields> {}
declare module '@kontor/addon' {
  interface Models {
    'gallery.tag': GalleryTag;
  }
}

export const galleryTag = defineModel('gallery.tag', {
  label: 'Tag',
  order: 'name',
  fields: tagFields,
});
