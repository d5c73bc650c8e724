import { formatDateTime } from '../../i18n/dates.ts';
import { fromLocalInput, toLocalInput } from '../../i18n/local-time.ts';
import { editDateTime, parseDateTime } from '../../i18n/typed-dates.ts';
import { DateControl, type DateNotation } from '../date/date-control.tsx';
import type { FieldEditProps } from '../define-field.ts';

/** A day chosen for an empty field is meant for working hours. */
const usualTime = '09:00';

const notation: DateNotation = {
  show: formatDateTime,
  edit: editDateTime,
  parse: parseDateTime,
  dayOf: (value) => toLocalInput(value).slice(0, 10),
  withDay: (value, day) => fromLocalInput(`${day}T${toLocalInput(value).slice(11) || usualTime}`),
  native: { type: 'datetime-local', toInput: toLocalInput, fromInput: fromLocalInput },
};

export function DatetimeEdit(props: FieldEditProps) {
  return <DateControl {...props} notation={notation} />;
}
