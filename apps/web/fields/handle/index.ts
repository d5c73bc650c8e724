import { defineField } from '../define-field.ts';
import { HandleRead } from './read.tsx';

/** Drawn as a grip; the list or grid around it does the dragging. */
export const handleField = defineField({
  name: 'handle',
  types: ['integer'],
  Read: HandleRead,
  Edit: null,
  toText: () => '',
  width: 36,
});
