import { timeZone } from './dates.ts';

/** An instant as `YYYY-MM-DDTHH:MM` on the wall of the person's time zone, for inputs. */
export function toLocalInput(instant: string, tz = timeZone()): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  return wallClock(date, tz).slice(0, 16);
}

/** What such an input holds, as an instant of the wire. */
export function fromLocalInput(local: string, tz = timeZone()): string | null {
  if (local === '') return null;
  const asIfUtc = new Date(`${local.length === 16 ? `${local}:00` : local}Z`);
  if (Number.isNaN(asIfUtc.getTime())) return null;
  // Twice, because the first guess may lie on the other side of a change of the clock.
  let guess = asIfUtc.getTime() - offsetAt(asIfUtc, tz);
  guess = asIfUtc.getTime() - offsetAt(new Date(guess), tz);
  return new Date(guess).toISOString().replace('.000Z', 'Z');
}

/** Today in the person's time zone, as `YYYY-MM-DD`. */
export function today(tz = timeZone()): string {
  return wallClock(new Date(), tz).slice(0, 10);
}

function offsetAt(date: Date, tz: string): number {
  return new Date(`${wallClock(date, tz)}Z`).getTime() - Math.floor(date.getTime() / 1000) * 1000;
}

function wallClock(date: Date, tz: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: tz,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(date);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '00';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`;
}
