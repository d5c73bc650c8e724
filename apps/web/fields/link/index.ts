import { defineField } from '../define-field.ts';
import { plainText } from '../plain/read.tsx';
import { EmailEdit, PhoneEdit, UrlEdit } from './edit.tsx';
import { EmailRead, PhoneRead, UrlRead } from './read.tsx';

const types = ['char'];

export const emailField = defineField({
  name: 'email',
  types,
  Read: EmailRead,
  Edit: EmailEdit,
  toText: plainText,
  width: 200,
});
export const phoneField = defineField({
  name: 'phone',
  types,
  Read: PhoneRead,
  Edit: PhoneEdit,
  toText: plainText,
  width: 140,
});
export const urlField = defineField({
  name: 'url',
  types,
  Read: UrlRead,
  Edit: UrlEdit,
  toText: plainText,
  width: 200,
});
