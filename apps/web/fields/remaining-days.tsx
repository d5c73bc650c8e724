import { type Condition, dateIn, daysBetween } from '@kontor/protocol';
import { holds } from '../data/conditions.ts';
import { formatDate, timeZone } from '../i18n/dates.ts';
import { locale } from '../i18n/messages.ts';
import { dateField } from './date.tsx';
import { defineField, type FieldReadProps } from './define-field.ts';
import './remaining-days.css';

export const remainingDaysField = defineField({
  ...dateField,
  name: 'remaining_days',
  Read: RemainingDaysRead,
  toText: remainingText,
});

/** Whole days from today, in the person's time zone. */
function daysUntil(value: string, today = dateIn(timeZone(), new Date())): number {
  const day = value.length > 10 ? dateIn(timeZone(), new Date(value)) : value;
  return daysBetween(today, day);
}

export function remainingText(props: FieldReadProps): string {
  const { value } = props;
  if (typeof value !== 'string' || value === '') return '';
  if (isDone(props)) return formatDate(value);
  const days = daysUntil(value);
  if (Math.abs(days) > 60) return formatDate(value);
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(days, 'day');
}

function RemainingDaysRead(props: FieldReadProps) {
  if (typeof props.value !== 'string' || props.value === '') return null;
  const days = daysUntil(props.value);
  const look = isDone(props) ? 'done' : days < 0 ? 'late' : days === 0 ? 'due' : 'ahead';
  return (
    <time className={`remaining remaining-${look}`} dateTime={props.value} title={formatDate(props.value)}>
      {remainingText(props)}
    </time>
  );
}

/** Where the condition `options.done` holds, the date is shown without the remaining days. */
function isDone({ node, record, field }: FieldReadProps): boolean {
  return holds(node.options?.done as Condition | undefined, record, [field]);
}
