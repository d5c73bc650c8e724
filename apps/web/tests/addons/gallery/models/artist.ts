import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const artistFields = {
  name: fields.char({ required: true }),
  phone: fields.char({}),
  fee: fields.decimal({ precision: [14, 2] }),
  active: fields.boolean({ default: true }),
};
export interface GalleryArtist extends FieldsOf<typeof artistFields> {}
declare module '@kontor/addon' {
  interface Models {
    'gallery.artist': GalleryArtist;
  }
}

export const galleryArtist = defineModel('gallery.artist', {
  label: 'Artist',
  order: 'name',
  fields: artistFields,
});
