import { defineField } from '../define-field.ts';
import { rareEdit } from '../rare-edit.tsx';
import { JsonRead, jsonText } from './read.tsx';

export const jsonField = defineField({
  name: 'json',
  types: ['json'],
  Read: JsonRead,
  Edit: rareEdit('JsonEdit'),
  toText: jsonText,
  width: 200,
});
