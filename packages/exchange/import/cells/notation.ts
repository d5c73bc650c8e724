/** How a person writes numbers, dates and times. */
export interface Notation {
  readonly decimal: string;
  readonly group: string;
  /** The parts of a date in their order. */
  readonly dateOrder: readonly ('day' | 'month' | 'year')[];
  readonly tz: string;
}

export function notationOf({ lang, tz }: { readonly lang: string; readonly tz: string }): Notation {
  const locale = localeOf(lang);
  const number = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1234567.5);
  const date = new Intl.DateTimeFormat(locale, { calendar: 'gregory' }).formatToParts(0);
  const order = date.flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []));
  return {
    decimal: number.find(({ type }) => type === 'decimal')?.value ?? '.',
    group: number.find(({ type }) => type === 'group')?.value ?? ',',
    dateOrder: order.length === 3 ? order : ['year', 'month', 'day'],
    tz,
  };
}

function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang.replaceAll('_', '-').replace(/@.*$/, ''))[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}
