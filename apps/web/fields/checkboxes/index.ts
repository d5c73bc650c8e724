import { defineField } from '../define-field.ts';
import { rareEdit } from '../rare-edit.tsx';
import { TagsRead, tagsText } from '../tags/read.tsx';

export const checkboxesField = defineField({
  name: 'checkboxes',
  types: ['many2many'],
  Read: TagsRead,
  Edit: rareEdit('CheckboxesEdit'),
  toText: tagsText,
  width: 200,
});
