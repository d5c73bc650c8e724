import { defineField } from '../define-field.ts';
import { SelectionRead, selectionText } from '../selection/read.tsx';
import { RadioEdit } from './edit.tsx';

export const radioField = defineField({
  name: 'radio',
  types: ['selection', 'many2one'],
  Read: SelectionRead,
  Edit: RadioEdit,
  toText: selectionText,
  width: 140,
});
