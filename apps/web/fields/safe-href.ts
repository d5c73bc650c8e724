const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** A safe link target: only pages, mail and phone numbers, never a script. A bare host gets https. */
export function safeHref(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(trimmed);
  try {
    const url = new URL(hasScheme ? trimmed : `https://${trimmed}`);
    return schemes.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
