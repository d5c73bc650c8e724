import {
  type DateForm,
  type LruCache,
  lruCache,
  type NumberForm,
  type WorkspacePayload,
  type WrittenForms,
  writeDate,
  writeNumber,
} from '@kontor/protocol';

const numberForms = lruCache<string, NumberForm | null>(500);
const dateForms = lruCache<string, DateForm | null>(100);

/** How a language writes numbers and dates, and amounts in the currencies of a workspace. */
export function writtenForms(locale: string, workspace: WorkspacePayload | undefined): WrittenForms {
  const number = numberFormOf(locale);
  const date = dateFormOf(locale);
  const money = currenciesOf(workspace).flatMap((currency) => {
    const form = numberFormOf(locale, currency);
    return form ? [[currency, form] as const] : [];
  });
  return { ...(number && { number }), ...(date && { date }), money: Object.fromEntries(money) };
}

function currenciesOf(workspace: WorkspacePayload | undefined): readonly string[] {
  if (!workspace) return [];
  const { arch, records } = workspace;
  const names = new Set(arch.fields.flatMap(({ currency }) => (currency ? [`${currency}.display_name`] : [])));
  const found = new Set<unknown>();
  for (const name of names) for (const record of records) found.add(record[name]);
  for (const totals of Object.values(arch.money ?? {})) for (const { currency } of totals) found.add(currency);
  return [...found].filter((code) => typeof code === 'string' && /^[A-Z]{3}$/.test(code)) as string[];
}

/** Null if the format of the language cannot be described this way. */
export function numberFormOf(locale: string, currency?: string): NumberForm | null {
  return kept(numberForms, `${locale} ${currency ?? ''}`, () => {
    const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
    const format = new Intl.NumberFormat(locale, currency === undefined ? { maximumFractionDigits: 6 } : style);
    const scale = currency === undefined ? 6 : (format.resolvedOptions().maximumFractionDigits ?? 0);
    const form = readNumberForm(format, scale);
    const least = currency === undefined ? 0 : scale;
    return samples.every((value) => writeNumber(form, value, least, scale) === format.format(value)) ? form : null;
  });
}

const samples = [0, -0, 0.5, 7, -12, 999.995, -1000, 4321.5, 12_345, -543_210.125, 1_234_567.891, 9_876_543_210];

function readNumberForm(format: Intl.NumberFormat, scale: number): NumberForm {
  const parts = format.formatToParts(123_456_789.5);
  const { decimal = '', group = '' } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const end = parts.findIndex(({ value }) => value === decimal);
  const groups = (end < 0 ? parts : parts.slice(0, end)).filter(isDigits).map(({ value }) => value.length);
  const isGrouped = (value: number) => format.formatToParts(value).some(({ type }) => type === 'group');
  return {
    decimal,
    group,
    sizes: [groups.at(-1) ?? 3, groups.at(-2) ?? 3],
    groupedFrom: groups.length < 2 ? Number.MAX_SAFE_INTEGER : isGrouped(1234) ? 4 : 5,
    positive: around(parts),
    negative: around(format.formatToParts(-123_456_789.5)),
    zero: format.formatToParts(0).find(isDigits)?.value ?? '0',
    scale,
  };
}

function isDigits({ value }: Intl.NumberFormatPart): boolean {
  return /^\p{Nd}+$/u.test(value);
}

function around(parts: readonly Intl.NumberFormatPart[]): readonly [string, string] {
  const first = parts.findIndex(isDigits);
  const last = parts.findLastIndex(isDigits);
  const text = (some: readonly Intl.NumberFormatPart[]) => some.map(({ value }) => value).join('');
  return [text(parts.slice(0, first)), text(parts.slice(last + 1))];
}

/** Null if the language counts years or days differently. */
export function dateFormOf(locale: string): DateForm | null {
  return kept(dateForms, locale, () => {
    const options = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
    const format = new Intl.DateTimeFormat(locale, options);
    const inMonth = (month: number, day = 14) => new Date(Date.UTC(2026, month, day));
    const partOf = (date: Date, wanted: string) =>
      format.formatToParts(date).find(({ type }) => type === wanted)?.value ?? '';
    const named = new Set(['day', 'month', 'year']);
    const form = {
      parts: format.formatToParts(inMonth(0)).map(({ type, value }) => (named.has(type) ? type : value)),
      months: Array.from({ length: 12 }, (_, month) => partOf(inMonth(month), 'month')),
      zero: new Intl.NumberFormat(locale).format(0),
    };
    const days = form.months.flatMap((_, month) => [inMonth(month, 1), inMonth(month), inMonth(month, 28)]);
    return days.every((date) => writeDate(form, date) === format.format(date)) ? form : null;
  });
}

function kept<T>(cache: LruCache<string, T>, key: string, make: () => T): T {
  let found = cache.get(key);
  if (found === undefined) {
    found = make();
    cache.set(key, found);
  }
  return found;
}
