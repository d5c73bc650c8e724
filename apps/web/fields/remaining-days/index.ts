import { dateField } from '../date/index.ts';
import { defineField } from '../define-field.ts';
import { RemainingDaysRead, remainingText } from './read.tsx';

export const remainingDaysField = defineField({
  ...dateField,
  name: 'remaining_days',
  types: ['date', 'datetime'],
  Read: RemainingDaysRead,
  toText: remainingText,
});
