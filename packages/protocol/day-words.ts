import { addDays, addMonths, isDate, weekdayOf } from './calendar.ts';
import { lruCache } from './lru-cache.ts';
import { latinDigits } from './typed-number.ts';

type Unit = 'day' | 'week' | 'month' | 'year';

interface Shift {
  readonly count: number;
  readonly unit: Unit;
}

/** The words of a language for days, as far as `Intl` knows them. */
interface DayWords {
  /** Numbered from 1; including short names. */
  readonly months: ReadonlyMap<string, number>;
  /** Numbered from 1 (Monday); including short names. */
  readonly weekdays: ReadonlyMap<string, number>;
  /** `tomorrow`, `next week`. */
  readonly phrases: ReadonlyMap<string, Shift>;
  /** `in 3 weeks`, with a group for the number. */
  readonly spans: readonly { readonly pattern: RegExp; readonly sign: 1 | -1; readonly unit: Unit }[];
  /** The words of `next week` and `last week`, which can also be before or after a weekday. */
  readonly next: readonly string[];
  readonly last: readonly string[];
  /** Words between day, month and year: `de` in Spanish. */
  readonly fillers: ReadonlySet<string>;
}

const units = ['day', 'week', 'month', 'year'] as const;
/** One number for each plural form, in all languages. */
const counts = [1, 2, 3, 5, 11, 100];
const kept = lruCache<string, DayWords>(50);

/**
 * Parses a day in words, in the given language or in English: `21 Dec`, `tomorrow`, `in 3 weeks`, `next Monday`. A day
 * without a year is the next such day; it and all words relative to today need `today`. Null if the text is not a day.
 */
export function dayFromWords(text: string, locale: string, today?: string): string | null {
  if (text.length > 60 || !/\p{L}/u.test(text)) return null;
  for (const lang of new Set([locale, 'en'])) {
    const words = wordsOf(lang);
    const folded = fold(text);
    const day =
      (today && (shifted(folded, words, today) ?? weekday(folded, words, today))) || named(folded, words, today);
    if (day) return day;
  }
  return null;
}

function shifted(text: string, { phrases, spans }: DayWords, today: string): string | null {
  const phrase = phrases.get(text);
  if (phrase) return shiftDay(today, phrase.count, phrase.unit);
  for (const { pattern, sign, unit } of spans) {
    const count = pattern.exec(text)?.[1];
    if (count) return shiftDay(today, sign * Number(count), unit);
  }
  return null;
}

/** The day some days, weeks, months or years later; the 31st becomes the last day of a shorter month. */
export function shiftDay(day: string, count: number, unit: Unit): string {
  if (unit === 'month' || unit === 'year') return addMonths(day, unit === 'year' ? count * 12 : count);
  return addDays(day, unit === 'week' ? count * 7 : count);
}

/** The first such weekday after today, or the last one before it. */
function weekday(text: string, { weekdays, next, last }: DayWords, today: string): string | null {
  const words = text.split(' ');
  const wanted = words.map((word) => weekdays.get(word)).find((number) => number !== undefined);
  if (wanted === undefined) return null;
  const others = words.filter((word) => !weekdays.has(word));
  const ahead = (wanted - weekdayOf(today) + 7) % 7 || 7;
  if (others.every((word) => next.some((known) => isAlike(word, known)))) return addDays(today, ahead);
  if (others.every((word) => last.some((known) => isAlike(word, known))))
    return addDays(today, ahead === 7 ? -7 : ahead - 7);
  return null;
}

/** The same word with another ending: `nächste` and `nächsten`. */
function isAlike(word: string, known: string): boolean {
  const stem = Math.max(4, Math.min(word.length, known.length) - 2);
  return word.slice(0, stem) === known.slice(0, stem);
}

function named(text: string, { months, fillers }: DayWords, today: string | undefined): string | null {
  const words = text.split(/[\s/-]+/).filter((word) => word !== '' && !fillers.has(word));
  const numbers = words.flatMap((word) => /^(\d{1,4})(?:st|nd|rd|th|er)?$/.exec(word)?.[1] ?? []);
  const month = words.map((word) => monthOf(word, months)).find((number) => number !== undefined);
  if (month === undefined || words.length !== numbers.length + 1 || numbers.length === 0 || numbers.length > 2)
    return null;
  const [day, year] = numbers[0]?.length === 4 ? [numbers[1], numbers[0]] : numbers;
  if (day === undefined || day.length > 2) return null;
  const inYear = (number: number) =>
    [number, month, Number(day)].map((part) => String(part).padStart(2, '0')).join('-');
  if (year !== undefined) {
    const found = inYear(year.length > 2 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900));
    return isDate(found) ? found : null;
  }
  if (today === undefined) return null;
  const years = Array.from({ length: 9 }, (_, more) => inYear(Number(today.slice(0, 4)) + more));
  return years.find((one) => isDate(one) && one >= today) ?? null;
}

/** By its name, its short name, or at least its first three letters. */
function monthOf(word: string, months: ReadonlyMap<string, number>): number | undefined {
  const known = months.get(word);
  if (known !== undefined || word.length < 3 || /\d/.test(word)) return known;
  const found = new Set([...months].flatMap(([name, number]) => (name.startsWith(word) ? [number] : [])));
  return found.size === 1 ? [...found][0] : undefined;
}

/** Ignores case, accents, points and commas. */
function fold(text: string): string {
  return latinDigits(text)
    .normalize('NFKD')
    .replace(/[\p{M}\u200e\u200f]/gu, '')
    .toLowerCase()
    .replace(/[.,\u060c]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function wordsOf(locale: string): DayWords {
  const known = kept.get(locale) ?? readWords(locale);
  kept.set(locale, known);
  return known;
}

function readWords(locale: string): DayWords {
  const usual = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const phrases = new Map<string, Shift>();
  for (const unit of units) {
    for (const count of [-2, -1, 0, 1, 2]) phrases.set(fold(usual.format(count, unit)), { count, unit });
  }
  const wordsFor = (count: number) =>
    [...new Set(units.slice(1).flatMap((unit) => fold(usual.format(count, unit)).split(' ')))].filter(
      (word) => word.length > 3,
    );
  return {
    ...readNames(locale),
    phrases,
    spans: readSpans(locale),
    next: wordsFor(1),
    last: wordsFor(-1),
  };
}

function readSpans(locale: string): DayWords['spans'] {
  const found = new Map<string, DayWords['spans'][number]>();
  for (const style of ['long', 'short'] as const) {
    const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style });
    for (const unit of units) {
      for (const count of counts.flatMap((one) => [one, -one])) {
        const parts = format.formatToParts(count, unit);
        // Some languages have a single word for two of them.
        if (!parts.some(({ value }) => /\p{Nd}/u.test(value))) continue;
        const text = fold(parts.map(({ value }) => value.replace(/\p{Nd}+/u, '0')).join(''));
        const source = `^${text.replace(/[^\p{L}\p{N} ]/gu, '\\$&').replace('0', '(\\d{1,4})')}$`;
        if (!found.has(source)) found.set(source, { pattern: new RegExp(source), sign: count < 0 ? -1 : 1, unit });
      }
    }
  }
  return [...found.values()];
}

function readNames(locale: string): Pick<DayWords, 'months' | 'weekdays' | 'fillers'> {
  const months = new Map<string, number>();
  const weekdays = new Map<string, number>();
  const fillers = new Set<string>();
  const usual = { timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' } as const;
  for (const style of ['long', 'short'] as const) {
    const alone = new Intl.DateTimeFormat(locale, { ...usual, month: style });
    const whole = new Intl.DateTimeFormat(locale, { ...usual, day: 'numeric', month: style, year: 'numeric' });
    for (let month = 1; month <= 12; month++) {
      const date = Date.UTC(2026, month - 1, 14);
      const parts = whole.formatToParts(date);
      const inside = parts.find(({ type }) => type === 'month')?.value ?? '';
      for (const name of [alone.format(date), inside]) if (/\p{L}/u.test(name)) months.set(fold(name), month);
      for (const { type, value } of parts)
        if (type === 'literal') for (const word of fold(value).split(' ')) fillers.add(word);
    }
    const names = new Intl.DateTimeFormat(locale, { ...usual, weekday: style });
    // 5 January 2026 is a Monday.
    for (let day = 1; day <= 7; day++) weekdays.set(fold(names.format(Date.UTC(2026, 0, 4 + day))), day);
  }
  return { months, weekdays, fillers };
}
