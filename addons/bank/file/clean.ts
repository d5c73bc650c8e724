/** Without the spaces that people write, in capitals. Empty is null. */
export function compact(given: string | null | undefined): string | null {
  const value = (given ?? '').replaceAll(/[\s\u00a0-]/g, '').toUpperCase();
  return value === '' ? null : value.slice(0, 64);
}

/** An account that may be remembered: IBAN by its form, or a number. */
export function accountNumber(given: string | null | undefined): string | null {
  const value = compact(given);
  return value !== null && /^[A-Z\d/.]{4,34}$/.test(value) && /\d/.test(value) ? value : null;
}

/** On one line, without what no screen shows. Empty is null. */
export function oneLine(given: string | null | undefined, most: number): string | null {
  const value = (given ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return value === '' ? null : value.slice(0, most).trim();
}

/** What banks write where there is none. */
const none = /^(?:0+|NON ?REF|NOT ?PROVIDED|NOTAPPLICABLE|N\/?A|NONE|-+)$/i;

export function referenceOf(given: string | null | undefined): string | null {
  const value = oneLine(given, 140);
  return value === null || none.test(value) ? null : value;
}
