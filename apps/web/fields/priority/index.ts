import { defineField } from '../define-field.ts';
import { selectionText } from '../selection/read.tsx';
import { PriorityEdit } from './edit.tsx';
import { PriorityRead } from './read.tsx';

export const priorityField = defineField({
  name: 'priority',
  types: ['selection', 'integer'],
  Read: PriorityRead,
  Edit: PriorityEdit,
  toText: selectionText,
  isDirect: true,
  width: 100,
});
