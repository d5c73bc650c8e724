import { defineField } from '../define-field.ts';
import { NumberEdit } from '../number/edit.tsx';
import { MonetaryRead, monetaryText } from './read.tsx';

export const monetaryField = defineField({
  name: 'monetary',
  types: ['monetary', 'decimal', 'float', 'integer'],
  Read: MonetaryRead,
  Edit: NumberEdit,
  toText: monetaryText,
  align: 'end',
  width: 130,
});
