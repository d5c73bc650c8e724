import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const stepFields = {
  name: fields.char({ required: true }),
  sequence: fields.integer({ default: 10 }),
  state: fields.selection({ asked: 'Asked', out: 'Out', back: 'Back' }, { required: true, default: 'asked' }),
};
export interface GalleryStep extends FieldsOf<typeof stepFields> {}
declare module '@kontor/addon' {
  interface Models {
    'gallery.step': GalleryStep;
  }
}

/** Stages of loans. */
export const galleryStep = defineModel('gallery.step', { label: 'Step', order: 'sequence, id', fields: stepFields });
