import { defineField } from '../define-field.ts';
import { BadgeEdit } from './edit.tsx';
import { BadgeRead, badgeText } from './read.tsx';

export const badgeField = defineField({
  name: 'badge',
  types: ['selection', 'char', 'many2one', 'boolean', 'integer'],
  Read: BadgeRead,
  Edit: BadgeEdit,
  toText: badgeText,
  width: 130,
});
