import { defineField } from '../define-field.ts';
import { DateEdit } from './edit.tsx';
import { DateRead, dateText } from './read.tsx';

export const dateField = defineField({
  name: 'date',
  types: ['date'],
  Read: DateRead,
  Edit: DateEdit,
  toText: dateText,
  width: 130,
});
