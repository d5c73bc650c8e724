import { lazyComponent } from '../state/lazy.tsx';
import { Skeleton } from '../ui/parts.tsx';
import { defineField, type FieldEditProps } from './define-field.ts';
import { TagsRead, tagsText } from './tags.tsx';

const { Component: TagsEdit } = lazyComponent<FieldEditProps>(
  async () => (await import('./tags-edit.tsx')).TagsEdit,
  <Skeleton width="50%" />,
);

export const tagsField = defineField({
  name: 'tags',
  Read: TagsRead,
  Edit: TagsEdit,
  toText: tagsText,
  width: 200,
});

/** A many2many without a list of its own is shown as tags; the form shows the others as a grid. */
export const many2manyField = defineField({
  name: 'many2many',
  Read: TagsRead,
  Edit: TagsEdit,
  toText: tagsText,
  width: 200,
});

export const one2manyField = defineField({
  name: 'one2many',
  Read: TagsRead,
  Edit: null,
  toText: tagsText,
  width: 200,
});
