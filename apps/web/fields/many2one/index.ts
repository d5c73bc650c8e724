import { defineField } from '../define-field.ts';
import { Many2oneEdit } from './edit.tsx';
import { Many2oneRead, many2oneText } from './read.tsx';

export const many2oneField = defineField({
  name: 'many2one',
  types: ['many2one'],
  Read: Many2oneRead,
  Edit: Many2oneEdit,
  toText: many2oneText,
  width: 190,
});
