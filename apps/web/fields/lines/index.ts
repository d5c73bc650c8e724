import { defineField } from '../define-field.ts';
import { TagsEdit } from '../tags/edit.tsx';
import { TagsRead, tagsText } from '../tags/read.tsx';

/** Without a list of its own a many2many is tags; the form draws the others as a grid. */
export const many2manyField = defineField({
  name: 'many2many',
  types: ['many2many'],
  Read: TagsRead,
  Edit: TagsEdit,
  toText: tagsText,
  width: 200,
});

export const one2manyField = defineField({
  name: 'one2many',
  types: ['one2many'],
  Read: TagsRead,
  Edit: null,
  toText: tagsText,
  width: 200,
});
