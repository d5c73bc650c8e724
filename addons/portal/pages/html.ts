/** Markup that is already escaped. */
export interface Html {
  readonly markup: string;
}

/** A template whose values are escaped; nested templates and lists of them are kept. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  let markup = strings[0] as string;
  for (const [index, value] of values.entries()) markup += toMarkup(value) + strings[index + 1];
  return { markup };
}

function toMarkup(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(toMarkup).join('');
  if (typeof value === 'object' && 'markup' in value) return String(value.markup);
  return String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** The words of stored HTML, one line for each paragraph. */
export function plainText(stored: string): string {
  return stored
    .replaceAll(/<br\s*\/?>|<\/(?:p|li|h\d)>/g, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim();
}
