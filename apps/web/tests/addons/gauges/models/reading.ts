import { defineModel, fields, type RecordOf } from '@kontor/addon';

const readingFields = {
  name: fields.char({ required: true }),
  value: fields.integer({ required: true, default: 0 }),
};

export interface GaugesReading extends RecordOf<typeof readingFields> {}
declare module '@kontor/addon' {
  interface Models {
    'gauges.reading': GaugesReading;
  }
}

export const gaugesReading = defineModel('gauges.reading', { label: 'Reading', order: 'name', fields: readingFields });
