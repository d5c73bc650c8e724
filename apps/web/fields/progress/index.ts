import { defineField } from '../define-field.ts';
import { NumberEdit } from '../number/edit.tsx';
import { PercentageRead, ProgressRead, percentText } from './read.tsx';

const types = ['integer', 'float', 'decimal', 'monetary'];

export const progressbarField = defineField({
  name: 'progressbar',
  types,
  Read: ProgressRead,
  Edit: NumberEdit,
  toText: percentText,
  width: 130,
});
export const percentageField = defineField({
  name: 'percentage',
  types,
  Read: PercentageRead,
  Edit: NumberEdit,
  toText: percentText,
  align: 'end',
  width: 100,
});
