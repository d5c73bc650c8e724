import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const visitFields = {
  piece_id: fields.many2one('gallery.piece', { required: true, ondelete: 'cascade' }),
  name: fields.char({ required: true, label: 'Visitor' }),
  day: fields.date({}),
  people: fields.integer({ default: 1 }),
  arrives_at: fields.datetime({ label: 'Arrives' }),
  gate: fields.integer({ label: 'Gate', aggregate: 'none' }),
  ticket: fields.char({}),
  paid: fields.decimal({ precision: [14, 2] }),
};
export interface GalleryVisit extends FieldsOf<typeof visitFields> {}
declare module '@kontor/addon' {
  interface Models {
    'gallery.visit': GalleryVisit;
  }
}

export const galleryVisit = defineModel('gallery.visit', {
  label: 'Visit',
  order: 'id',
  fields: visitFields,
});
