import { daysBetween, defineField, type FieldReadProps, t, today } from '@kontor/client';
import './days-field.css';

/** How many days are left, in words: `widget="starter_days"` on a date. */
export const daysField = defineField({
  name: 'starter_days',
  Read: Days,
  Edit: null,
  toText: ({ value }) => sentence(value),
  width: 130,
});

function Days({ value }: FieldReadProps) {
  const days = daysUntil(value);
  return <span className={days !== null && days < 0 ? 'starter-late' : ''}>{sentence(value)}</span>;
}

function sentence(value: unknown): string {
  const days = daysUntil(value);
  if (days === null) return '';
  if (days === 0) return t('today');
  return days > 0 ? t('{days} days left', { days }) : t('{days} days late', { days: -days });
}

function daysUntil(value: unknown): number | null {
  return typeof value === 'string' ? daysBetween(today(), value) : null;
}
