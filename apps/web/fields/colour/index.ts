import { defineField } from '../define-field.ts';
import { ColourEdit } from './edit.tsx';
import { ColourRead } from './read.tsx';

export const colourField = defineField({
  name: 'color',
  types: ['integer', 'char'],
  Read: ColourRead,
  Edit: ColourEdit,
  toText: ({ value }) => (value === null || value === undefined ? '' : String(value)),
  isDirect: true,
  width: 80,
});
