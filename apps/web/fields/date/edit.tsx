import { formatDate } from '../../i18n/dates.ts';
import { editDate, parseDate } from '../../i18n/typed-dates.ts';
import type { FieldEditProps } from '../define-field.ts';
import { DateControl, type DateNotation } from './date-control.tsx';

const notation: DateNotation = {
  show: formatDate,
  edit: editDate,
  parse: (text) => parseDate(text),
  dayOf: (value) => value.slice(0, 10),
  withDay: (_value, day) => day,
  native: {
    type: 'date',
    toInput: (value) => value.slice(0, 10),
    fromInput: (text) => (text === '' ? null : text),
  },
};

export function DateEdit(props: FieldEditProps) {
  return <DateControl {...props} notation={notation} />;
}
