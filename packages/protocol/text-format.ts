/** What a short text holds, where more than its length can be checked. */
export type TextFormat = 'email' | 'phone' | 'url';

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
