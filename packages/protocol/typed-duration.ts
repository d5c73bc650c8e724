import { latinDigits, type NumberNotation, numberFromText, type TypedNumber } from './typed-number.ts';

const hourUnit = String.raw`(?:h|hrs?|hours?|std|stunden?|heures?|ساعة|ساعات|ساعتان)\.?`;
const minuteUnit = String.raw`(?:m|mins?|minuten?|minutes?|min|دقيقة|دقائق|['\u2032])\.?`;
const clock = /^([+-]?)(\d+):([0-5]?\d)$/;
const units = new RegExp(
  String.raw`^([+-]?)(?:([\d.,]+)\s*${hourUnit}\s*(?:([0-5]?\d)\s*(?:${minuteUnit})?)?|(\d+)\s*${minuteUnit})$`,
  'i',
);

/** A duration such as `1:30`, `1.5`, `90m`, `1h30` or `1 h 30 min`, in hours. Null: it is none. */
export function hoursFromText(text: string, notation: NumberNotation, scale?: number): TypedNumber | null {
  const given = latinDigits(text).trim();
  const match = clock.exec(given) ?? units.exec(given);
  if (match === null) return numberFromText(given, notation, scale);
  const [, sign, hours = '0', minutes = '0', alone = '0'] = match;
  const whole = numberFromText(hours, notation, scale);
  if (whole === null || 'either' in whole) return whole;
  const sum = Number(whole.digits) + (Number(minutes) + Number(alone)) / 60;
  return { digits: `${sign === '-' && sum > 0 ? '-' : ''}${rounded(sum, Math.min(scale ?? 4, 4))}` };
}

function rounded(hours: number, scale: number): string {
  return String(Number(hours.toFixed(scale)));
}
