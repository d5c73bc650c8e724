import { defineField, type FieldReadProps } from '../define-field.ts';
import { rareEdit } from '../rare-edit.tsx';
import { languageName } from './language-name.ts';

const text = ({ value }: FieldReadProps) => (typeof value === 'string' && value !== '' ? languageName(value) : '');

export const languageField = defineField({
  name: 'language',
  types: ['char'],
  Read: text,
  Edit: rareEdit('LanguageEdit'),
  toText: text,
  width: 160,
});
