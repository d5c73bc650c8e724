import { defineField } from '../define-field.ts';
import { SelectionEdit } from './edit.tsx';
import { SelectionRead, selectionText } from './read.tsx';

export const selectionField = defineField({
  name: 'selection',
  types: ['selection', 'many2one'],
  Read: SelectionRead,
  Edit: SelectionEdit,
  toText: selectionText,
  width: 140,
});
