import { defineField } from '../define-field.ts';
import { PlainRead, plainText } from '../plain/read.tsx';
import { CharEdit } from './edit.tsx';

export const charField = defineField({
  name: 'char',
  types: ['char'],
  Read: PlainRead,
  Edit: CharEdit,
  toText: plainText,
  width: 200,
});
