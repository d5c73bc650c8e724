import { defineField } from '../define-field.ts';
import { TagsEdit } from './edit.tsx';
import { TagsRead, tagsText } from './read.tsx';

export const tagsField = defineField({
  name: 'tags',
  types: ['many2many', 'one2many'],
  Read: TagsRead,
  Edit: TagsEdit,
  toText: tagsText,
  width: 200,
});
