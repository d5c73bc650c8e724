import { defineField } from '../define-field.ts';
import { PlainRead, plainText } from '../plain/read.tsx';
import { TextEdit } from './edit.tsx';

export const textField = defineField({
  name: 'text',
  types: ['text', 'char'],
  Read: PlainRead,
  Edit: TextEdit,
  toText: plainText,
  width: 260,
});

export const textareaField = defineField({ ...textField, name: 'textarea' });
