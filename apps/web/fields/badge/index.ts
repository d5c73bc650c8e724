import { defineField } from '../define-field.ts';
import { SelectionEdit } from '../selection/edit.tsx';
import { selectionText } from '../selection/read.tsx';
import { BadgeRead } from './read.tsx';

export const badgeField = defineField({
  name: 'badge',
  types: ['selection'],
  Read: BadgeRead,
  Edit: SelectionEdit,
  toText: selectionText,
  width: 130,
});
