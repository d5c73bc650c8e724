import { fromLocalInput, today, toLocalInput } from './local-time.ts';
import { locale } from './messages.ts';

type Part = 'day' | 'month' | 'year';

/** A date as a person types it: `14.11.2026` or `11/14/2026`, as their language orders it. */
export function editDate(iso: string): string {
  const date = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? iso : numeric().format(date);
}

/** An instant as a person types it, on the clock of their time zone. */
export function editDateTime(instant: string): string {
  const local = toLocalInput(instant);
  return local === '' ? instant : `${editDate(local)} ${local.slice(11)}`;
}

/**
 * What a person typed as `YYYY-MM-DD`: in the order of their language, without the year, or as days, weeks, months from today
 * (`+3`, `-2w`, `+1m`). Null when empty, undefined when it is no date.
 */
export function parseDate(text: string, from = today()): string | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  const shift = /^([+-]\d{1,4})([dwmy]?)$/i.exec(typed);
  if (shift) return shiftDate(from, Number(shift[1]), shift[2]?.toLowerCase() ?? '');
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed);
  if (iso) return realDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const numbers = typed.split(/\D+/).filter((one) => one !== '');
  if (/[a-z]/i.test(typed) || numbers.length < 2 || numbers.length > 3) return undefined;
  const order = numbers.length === 3 ? partOrder() : partOrder().filter((part) => part !== 'year');
  const found = new Map(order.map((part, index) => [part, Number(numbers[index])]));
  const year = found.get('year') ?? Number(from.slice(0, 4));
  return realDate(year < 100 ? 2000 + year : year, found.get('month') ?? 0, found.get('day') ?? 0);
}

/** The same with a time behind it (`9:30`, `9.30 pm`); without one it is the start of the day. */
export function parseDateTime(text: string): string | null | undefined {
  const typed = text.trim();
  const timed = /^(.*?)[\s,T]+(\d{1,2})[:.h](\d{2})(?::\d{2})?\s*([ap])?\.?m?\.?$/i.exec(typed);
  const date = parseDate(timed ? (timed[1] as string) : typed);
  if (!date) return date;
  const clock = timed ? clockOf(Number(timed[2]), Number(timed[3]), timed[4]?.toLowerCase()) : '00:00';
  return clock === undefined ? undefined : (fromLocalInput(`${date}T${clock}`) ?? undefined);
}

function clockOf(hour: number, minute: number, half: string | undefined): string | undefined {
  if (minute > 59 || hour > (half ? 12 : 23)) return undefined;
  const full = half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour;
  return `${String(full).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** Days, weeks, months or years further; the 31st of a short month is its last day. */
export function shiftDate(iso: string, count: number, unit = 'd'): string {
  const [year = 0, month = 1, day = 1] = iso.split('-').map(Number);
  if (unit === 'm' || unit === 'y') {
    const target = new Date(Date.UTC(year, month - 1 + (unit === 'y' ? count * 12 : count), 1));
    const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
    target.setUTCDate(Math.min(day, last));
    return target.toISOString().slice(0, 10);
  }
  return new Date(Date.UTC(year, month - 1, day + count * (unit === 'w' ? 7 : 1))).toISOString().slice(0, 10);
}

function realDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = year > 0 && year < 10_000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? `${String(year).padStart(4, '0')}-${date.toISOString().slice(5, 10)}` : undefined;
}

function numeric(): Intl.DateTimeFormat {
  const options = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: 'UTC',
    numberingSystem: 'latn',
  } as const;
  return new Intl.DateTimeFormat(locale(), { ...options, calendar: 'gregory' });
}

function partOrder(): readonly Part[] {
  const parts = numeric().formatToParts(new Date(0));
  return parts.map(({ type }) => type).filter((type): type is Part => ['day', 'month', 'year'].includes(type));
}
