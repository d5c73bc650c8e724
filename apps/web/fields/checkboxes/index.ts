import { defineField } from '../define-field.ts';
import { TagsRead, tagsText } from '../tags/read.tsx';
import { CheckboxesEdit } from './edit.tsx';

export const checkboxesField = defineField({
  name: 'checkboxes',
  types: ['many2many'],
  Read: TagsRead,
  Edit: CheckboxesEdit,
  toText: tagsText,
  width: 200,
});
