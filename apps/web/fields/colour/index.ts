import { defineField } from '../define-field.ts';
import { rareEdit } from '../rare-edit.tsx';
import { ColourRead } from './read.tsx';

export const colourField = defineField({
  name: 'color',
  types: ['integer', 'char'],
  Read: ColourRead,
  Edit: rareEdit('ColourEdit'),
  toText: ({ value }) => (value === null || value === undefined ? '' : String(value)),
  isDirect: true,
  width: 80,
});
