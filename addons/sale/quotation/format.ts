import type { Decimal } from '@kontor/addon';

interface Currency {
  readonly symbol: string;
  readonly decimal_places: number;
}

/** An amount as a reader of the language writes it. Digits never pass through a binary number. */
export function formatAmount(value: Decimal, currency: Currency | null, lang: string | null): string {
  const text = formatNumber(value.toFixed(currency?.decimal_places ?? 2), lang);
  return currency ? `${text}\u00a0${currency.symbol}` : text;
}

export function formatQuantity(value: Decimal, lang: string | null): string {
  return formatNumber(value.toFixed(), lang);
}

export function formatDate(date: string | null, lang: string | null): string {
  if (date === null) return '';
  const day = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  return new Intl.DateTimeFormat(localeOf(lang), { dateStyle: 'medium', timeZone: 'UTC' }).format(day);
}

function formatNumber(digits: string, lang: string | null): string {
  const decimals = digits.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat(localeOf(lang), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  // A decimal string is formatted exactly; the type of the standard library is younger than that.
  return format.format(digits as unknown as number);
}

function localeOf(lang: string | null): string {
  const tag = (lang ?? 'en_US').replace('_', '-');
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}
