import { defineField } from '../define-field.ts';
import { NumberEdit } from '../number/edit.tsx';
import { PercentageEdit } from './edit.tsx';
import { fractionText, PercentageRead, ProgressRead, percentText } from './read.tsx';

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
  Edit: PercentageEdit,
  toText: fractionText,
  align: 'end',
  width: 100,
});
