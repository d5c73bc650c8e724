import { defineField } from '../define-field.ts';
import { PasswordEdit, PasswordRead } from './edit.tsx';

export const passwordField = defineField({
  name: 'password',
  types: ['char'],
  Read: PasswordRead,
  Edit: PasswordEdit,
  toText: ({ value }) => (value ? '••••••' : ''),
  width: 120,
});
