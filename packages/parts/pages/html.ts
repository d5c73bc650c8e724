/**
 * Markup that is kept as it stands. Only what is made here is: a value that merely has the same fields is escaped.
 * ```ts
 * export const rule = new Html('<hr>');
 * ```
 */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/**
 * A template whose values are escaped; nested templates and lists of them are kept, and null, undefined and false are left out.
 * ```ts
 * const list = (titles: readonly string[]) => html`<ul>${titles.map((title) => html`<li>${title}</li>`)}</ul>`;
 * ```
 */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  let markup = strings[0] as string;
  for (const [index, value] of values.entries()) markup += toMarkup(value) + strings[index + 1];
  return new Html(markup);
}

function toMarkup(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(toMarkup).join('');
  if (value instanceof Html) return value.markup;
  return String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
