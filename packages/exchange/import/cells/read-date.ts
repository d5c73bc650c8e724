import { BadValue } from '@kontor/orm';
import { dayFromText, instantFromText, isDate, type TimeNotation, text } from '@kontor/protocol';

/** A day as `YYYY-MM-DD`, from that or from how the person's language writes days. */
export function readDate(cell: string, notation: TimeNotation): string {
  const day = dayFromText(cell, notation);
  if (day === null)
    throw new BadValue(text('"{given}" is not a date. Write it as YYYY-MM-DD.', { given: shown(cell) }));
  if (!isDate(day)) throw new BadValue(text('{given} is not a day of the calendar.', { given: shown(cell) }));
  return day;
}

/** An instant in UTC. A time without an offset is one in the person's time zone, a day is its beginning. */
export function readInstant(cell: string, notation: TimeNotation): string {
  const instant = instantFromText(cell, notation);
  if (instant !== null) return new Date(instant).toISOString();
  if (dayFromText(cell, notation) !== null) return readDate(cell, notation);
  const given = shown(cell);
  throw new BadValue(text('"{given}" is not a date and time. Write it as 2026-11-14T09:30:00Z.', { given }));
}

function shown(cell: string): string {
  return cell.trim().slice(0, 60);
}
