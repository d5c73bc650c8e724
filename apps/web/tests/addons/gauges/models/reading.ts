import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const readingFields = {
  name: fields.char({ required: true }),
  value: fields.integer({ required: true, default: 0 }),
};

export interface GaugesReading extends FieldsOf<typeof readingFields> {}
declare module '@kontor/addon' {
  interface Models {
    'gauges.reading': GaugesReading;
  }
}

export const gaugesReading = defineModel('gauges.reading', { label: 'Reading', order: 'name', fields: readingFields });
