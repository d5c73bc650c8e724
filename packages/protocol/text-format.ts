/** What a short text holds, where more than its length can be checked. */
export type TextFormat = 'email' | 'phone' | 'url' | 'iban';

const email = /^[^\s@<>()[\]\\,;:"]+@(?:[^\s@<>()[\]\\,;:".]+\.)*[^\s@<>()[\]\\,;:".]+$/;
/**
 * Digits with the signs that people write between them, and an extension. The one digit that must be there is looked for apart:
 * a pattern with it takes quadratic time.
 */
const phone = /^\+?([\d\s().\-/*#\u00a0]*)(?:(?:ext\.?|x|,|;)\s*\d{1,8})?$/i;
const host = /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

/** Whether a text that is not empty can be what its field holds. It says nothing of whether the address or number exists. */
export function isInFormat(format: TextFormat, text: string): boolean {
  if (format === 'email') return text.length <= 320 && email.test(text);
  if (format === 'iban') return isAccount(text);
  return format === 'phone' ? /\d/.test(phone.exec(text)?.[1] ?? '') : isWebAddress(text);
}

/** A page on the web, with or without `https://`. Never a script, a file or data. */
function isWebAddress(text: string): boolean {
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text);
  if (hasScheme && !/^https?:\/\//i.test(text)) return false;
  try {
    const url = new URL(hasScheme ? text : `https://${text}`);
    return !/\s/.test(text) && (host.test(url.hostname) || url.hostname.startsWith('['));
  } catch {
    return false;
  }
}

const iban = /^[A-Z]{2}\d{2}[A-Z\d]{8,30}$/;

/** Accounts of countries without IBAN are not checked; an IBAN must have valid check digits (ISO 13616). */
function isAccount(text: string): boolean {
  const account = text.replaceAll(/[\s\u00a0-]/g, '').toUpperCase();
  if (!iban.test(account)) return account.length <= 64;
  const digits = [...account.slice(4), ...account.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

/**
 * A valid IBAN in groups of four, as it is printed; any other account as it is.
 * ```ts
 * export const accountLine = (iban: string) => `IBAN ${ibanText(iban)}`;
 * ```
 */
export function ibanText(text: string): string {
  const account = text.replaceAll(/[\s\u00a0-]/g, '').toUpperCase();
  return iban.test(account) && isAccount(account) ? account.replaceAll(/(.{4})(?=.)/g, '$1 ') : text;
}
