import { dateIn, fromLocal, parseInstant, toLocal } from '@kontor/protocol';
import { timeZone } from './dates.ts';

/** A datetime as `YYYY-MM-DDTHH:MM` in the user's time zone, for inputs. */
export function toLocalInput(instant: string, tz = timeZone()): string {
  const at = parseInstant(instant);
  return at === null ? '' : new Date(toLocal(at, tz)).toISOString().slice(0, 16);
}

/** The value of such an input in wire format. */
export function fromLocalInput(local: string, tz = timeZone()): string | null {
  const at = parseInstant(`${local}Z`);
  return at === null ? null : new Date(fromLocal(at, tz)).toISOString();
}

/** Today in the user's time zone, as `YYYY-MM-DD`. */
export function today(): string {
  return dateIn(timeZone(), new Date());
}
