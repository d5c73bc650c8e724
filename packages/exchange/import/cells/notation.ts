import { dateOrderOf, type TimeNotation } from '@kontor/protocol';

/** How a person writes numbers, dates and times. */
export interface Notation extends TimeNotation {
  readonly decimal: string;
  readonly group: string;
}

export function notationOf({ lang, tz }: { readonly lang: string; readonly tz: string }): Notation {
  const locale = localeOf(lang);
  const number = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1234567.5);
  return {
    decimal: number.find(({ type }) => type === 'decimal')?.value ?? '.',
    group: number.find(({ type }) => type === 'group')?.value ?? ',',
    dateOrder: dateOrderOf(locale),
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
