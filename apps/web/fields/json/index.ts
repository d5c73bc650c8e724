import { defineField } from '../define-field.ts';
import { JsonEdit } from './edit.tsx';
import { JsonRead, jsonText } from './read.tsx';

export const jsonField = defineField({
  name: 'json',
  types: ['json'],
  Read: JsonRead,
  Edit: JsonEdit,
  toText: jsonText,
  width: 200,
});
