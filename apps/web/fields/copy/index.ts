import { CharEdit } from '../char/edit.tsx';
import { defineField } from '../define-field.ts';
import { plainText } from '../plain/read.tsx';
import { CopyRead } from './read.tsx';

export const copyField = defineField({
  name: 'copy',
  types: ['char', 'text'],
  Read: CopyRead,
  Edit: CharEdit,
  toText: plainText,
  width: 200,
});
