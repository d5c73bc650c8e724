import { defineField } from '../define-field.ts';
import { plainText } from '../plain/read.tsx';
import { rareEdit } from '../rare-edit.tsx';
import { CodeRead } from './read.tsx';

export const codeField = defineField({
  name: 'code',
  types: ['text', 'char', 'html', 'json'],
  Read: CodeRead,
  Edit: rareEdit('CodeEdit'),
  toText: plainText,
  width: 240,
});
