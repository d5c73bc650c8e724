import { defineField } from '../define-field.ts';
import { DurationEdit, DurationRead, durationText } from './edit.tsx';

export const durationField = defineField({
  name: 'duration',
  types: ['integer', 'float', 'decimal', 'monetary'],
  Read: DurationRead,
  Edit: DurationEdit,
  toText: durationText,
  align: 'end',
  width: 90,
});
