import { defineField } from '../define-field.ts';
import { plainText } from '../plain/read.tsx';
import { TextEdit } from './edit.tsx';
import { TextRead } from './read.tsx';

export const textField = defineField({
  name: 'text',
  types: ['text', 'char'],
  Read: TextRead,
  Edit: TextEdit,
  toText: plainText,
  width: 260,
});

export const textareaField = defineField({ ...textField, name: 'textarea' });
