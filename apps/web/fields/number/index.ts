import { defineField } from '../define-field.ts';
import { IntegerEdit, NumberEdit } from './edit.tsx';
import { NumberRead, numberText } from './read.tsx';

export const integerField = defineField({
  name: 'integer',
  types: ['integer'],
  Read: NumberRead,
  Edit: IntegerEdit,
  toText: numberText,
  align: 'end',
  width: 100,
});

export const floatField = defineField({
  name: 'float',
  types: ['float', 'integer'],
  Read: NumberRead,
  Edit: NumberEdit,
  toText: numberText,
  align: 'end',
  width: 110,
});

export const decimalField = defineField({
  name: 'decimal',
  types: ['decimal', 'float'],
  Read: NumberRead,
  Edit: NumberEdit,
  toText: numberText,
  align: 'end',
  width: 120,
});
