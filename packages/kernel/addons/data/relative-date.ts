import { BadValue, type Field } from '@kontor/orm';
import { addDays, addMonths, dateIn } from '@kontor/protocol';

/** A date or datetime relative to the day of the load, so that demonstration data does not age. */
export interface RelativeDate {
  readonly kind: 'relative';
  /** `today` is a date, `now` a date and time. */
  readonly from: 'today' | 'now';
  /** `-3`, `+2w`, `-1m`; for `now` also hours and a time of day in UTC: `-3d 09:00`. */
  readonly text: string;
}

const shape = /^(?:([+-]?\d{1,4})([hdwmy]?))?(?:\s*(\d{2}):(\d{2}))?$/;
const typeOf = { today: 'date', now: 'datetime' } as const;

/** The value of a relative date for a field, at the given moment. Throws BadValue if it is invalid. */
export function relativeValue(field: Field, { from, text }: RelativeDate, now: Date): string | null {
  if (text.trim() === '') return null;
  if (field.spec.type !== typeOf[from])
    throw new BadValue(`"${from}" is for a ${typeOf[from]}, not a ${field.spec.type}.`);
  const match = shape.exec(text.trim());
  const isDay = from === 'today';
  if (!match || (isDay && (match[2] === 'h' || match[3] !== undefined))) {
    throw new BadValue(`Use ${isDay ? '-3, +2w or -1m' : '-3d, -2h or -3d 09:00'}, not "${text}".`);
  }
  const date = shifted(now, Number(match[1] ?? 0), match[2] || 'd');
  if (match[3] !== undefined) {
    const [hour, minute] = [Number(match[3]), Number(match[4])];
    if (hour > 23 || minute > 59) throw new BadValue(`${match[3]}:${match[4]} is not a time of day.`);
    date.setUTCHours(hour, minute, 0, 0);
  }
  return isDay ? dateIn('UTC', date) : date.toISOString();
}

function shifted(now: Date, count: number, unit: string): Date {
  if (unit === 'h') return new Date(now.getTime() + count * 3_600_000);
  const [day, time] = now.toISOString().split('T') as [string, string];
  const isDays = unit === 'd' || unit === 'w';
  const moved = isDays ? addDays(day, count * (unit === 'w' ? 7 : 1)) : addMonths(day, count * (unit === 'y' ? 12 : 1));
  return new Date(`${moved}T${time}`);
}
