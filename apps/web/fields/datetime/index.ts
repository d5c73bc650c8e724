import { defineField } from '../define-field.ts';
import { DatetimeEdit } from './edit.tsx';
import { DatetimeRead, datetimeText } from './read.tsx';

export const datetimeField = defineField({
  name: 'datetime',
  types: ['datetime'],
  Read: DatetimeRead,
  Edit: DatetimeEdit,
  toText: datetimeText,
  width: 170,
});
