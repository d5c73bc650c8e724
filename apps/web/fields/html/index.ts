import { defineField } from '../define-field.ts';
import { HtmlEdit } from './edit.tsx';
import { HtmlRead, htmlFieldText } from './read.tsx';

export const htmlField = defineField({
  name: 'html',
  types: ['html', 'text'],
  Read: HtmlRead,
  Edit: HtmlEdit,
  toText: htmlFieldText,
  width: 260,
});
