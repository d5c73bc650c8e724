import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const roomFields = {
  name: fields.char({ required: true }),
  sequence: fields.integer({ default: 10 }),
  fold: fields.boolean({}),
};
export interface GalleryRoom extends FieldsOf<typeof roomFields> {}
declare module '@kontor/addon' {
  interface Models {
    'gallery.room': GalleryRoom;
  }
}

export const galleryRoom = defineModel('gallery.room', {
  label: 'Room',
  order: 'sequence, id',
  fields: roomFields,
});
