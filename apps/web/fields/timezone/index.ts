import { defineField, type FieldReadProps } from '../define-field.ts';
import { rareEdit } from '../rare-edit.tsx';

const text = ({ value }: FieldReadProps) => (typeof value === 'string' ? value.replaceAll('_', ' ') : '');

export const timezoneField = defineField({
  name: 'timezone',
  types: ['char'],
  Read: text,
  Edit: rareEdit('TimezoneEdit'),
  toText: text,
  width: 160,
});
