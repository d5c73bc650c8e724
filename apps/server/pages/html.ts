/** Markup that is already safe. */
export interface Html {
  readonly markup: string;
}

/** A template whose values are escaped; nested templates and lists of them stay as they are. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  let markup = strings[0] as string;
  for (const [index, value] of values.entries()) markup += toMarkup(value) + strings[index + 1];
  return { markup };
}

function toMarkup(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(toMarkup).join('');
  if (isHtml(value)) return value.markup;
  return String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function isHtml(value: unknown): value is Html {
  return typeof value === 'object' && value !== null && 'markup' in value && typeof value.markup === 'string';
}
