import { dateFormat } from './dates.ts';
import { toLocalInput } from './local-time.ts';

const numeric: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  timeZone: 'UTC',
  numberingSystem: 'latn',
  calendar: 'gregory',
};

/** A date as a user types it: `14.11.2026` or `11/14/2026`, in the order of their language. */
export function editDate(iso: string): string {
  const date = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? iso : dateFormat(numeric).format(date);
}

/** A datetime as a user types it, in their time zone. */
export function editDateTime(instant: string): string {
  const local = toLocalInput(instant);
  return local === '' ? instant : `${editDate(local)} ${local.slice(11)}`;
}
