import { latinDigits } from '@kontor/protocol';
import { parseNumber } from './numbers.ts';

const hourUnit = String.raw`(?:h|hrs?|hours?|std|stunden?|heures?|ساعة|ساعات|ساعتان)\.?`;
const minuteUnit = String.raw`(?:m|mins?|minuten?|minutes?|min|دقيقة|دقائق|['\u2032])\.?`;
const clock = /^([+-]?)(\d+):([0-5]?\d)$/;
const units = new RegExp(
  String.raw`^([+-]?)(?:([\d.,]+)\s*${hourUnit}\s*(?:([0-5]?\d)\s*(?:${minuteUnit})?)?|(\d+)\s*${minuteUnit})$`,
  'i',
);

/** Parses a duration such as `1:30`, `1.5`, `90m`, `1h30` or `1 h 30 min` into hours; undefined if it is invalid. */
export function parseHours(text: string): number | null | undefined {
  const trimmed = latinDigits(text).trim();
  if (trimmed === '') return null;
  const match = clock.exec(trimmed) ?? units.exec(trimmed);
  if (match === null) return parseNumber(trimmed);
  const [, sign, hours = '0', minutes = '0', alone = '0'] = match;
  const whole = parseNumber(hours);
  if (typeof whole !== 'number') return undefined;
  return (sign === '-' ? -1 : 1) * (whole + (Number(minutes) + Number(alone)) / 60);
}
