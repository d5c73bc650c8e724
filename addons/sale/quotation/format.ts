import type { Decimal } from '@kontor/addon';

interface Currency {
  readonly symbol: string;
  readonly decimal_places: number;
}

/** An amount as a reader of the language writes it. Digits never pass through a binary number. */
export function formatAmount(value: Decimal, currency: Currency | null, lang: string | null): string {
  const digits = value.toFixed(currency?.decimal_places ?? 2);
  if (!currency) return formatNumber(digits, lang);
  // Where the sign stands is the language's; which sign it is, the currency's own record says.
  const isWord = /\p{Letter}$/u.test(currency.symbol);
  const sample = isWord ? ({ currency: 'CHF', currencyDisplay: 'code' } as const) : ({ currency: 'EUR' } as const);
  const format = new Intl.NumberFormat(localeOf(lang), { style: 'currency', ...sample, ...scaleOf(digits) });
  return format
    .formatToParts(digits as Intl.StringNumericLiteral)
    .map((part) => (part.type === 'currency' ? currency.symbol : part.value))
    .join('');
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
  const format = new Intl.NumberFormat(localeOf(lang), scaleOf(digits));
  return format.format(digits as Intl.StringNumericLiteral);
}

function scaleOf(digits: string): { readonly minimumFractionDigits: number; readonly maximumFractionDigits: number } {
  const decimals = digits.split('.')[1]?.length ?? 0;
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
}

function localeOf(lang: string | null): string {
  const tag = (lang ?? 'en_US').replace('_', '-');
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}
