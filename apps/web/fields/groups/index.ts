import { lazyComponent } from '../../state/lazy.tsx';
import { defineField, type FieldEditProps } from '../define-field.ts';
import { TagsRead, tagsText } from '../tags/read.tsx';

const { Component: GroupsEdit } = lazyComponent<FieldEditProps>(async () => (await import('./edit.tsx')).GroupsEdit);

export const groupsField = defineField({
  name: 'groups',
  types: ['many2many'],
  Read: TagsRead,
  Edit: GroupsEdit,
  toText: tagsText,
  width: 200,
});
