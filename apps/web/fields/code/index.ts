import { defineField } from '../define-field.ts';
import { plainText } from '../plain/read.tsx';
import { CodeEdit } from './edit.tsx';
import { CodeRead } from './read.tsx';

export const codeField = defineField({
  name: 'code',
  types: ['text', 'char', 'html', 'json'],
  Read: CodeRead,
  Edit: CodeEdit,
  toText: plainText,
  width: 240,
});
