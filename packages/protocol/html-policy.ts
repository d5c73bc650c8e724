/**
 * The allowed content of rich text, for the server that stores it, the client that shows it and the editor that creates it. Other
 * elements are replaced by their content, other attributes are removed.
 * ```ts
 * export const mayHoldTables = htmlPolicy.tags.includes('table');
 * ```
 */
export const htmlPolicy = {
  tags: [
    ...['p', 'br', 'hr', 'div', 'span', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code'],
    ...['b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'mark', 'a'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption'],
  ],
  attributes: { a: ['href', 'title', 'rel'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  /** For absolute addresses. */
  schemes: ['http', 'https', 'mailto', 'tel'],
  /** Attributes that every link gets. */
  rel: 'noopener',
} as const satisfies {
  readonly tags: readonly string[];
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  readonly schemes: readonly string[];
  readonly rel: string;
};

/** Whether rich text may link there: a page, mail or phone number, or a path of this site; never a script. */
export function isAllowedAddress(href: string): boolean {
  // Browsers ignore control characters and spaces in a scheme.
  const address = [...href].filter((one) => one > ' ').join('');
  if (/^[\\/]{2}/.test(address)) return false;
  const [, scheme] = /^([^/?#:]*):/.exec(address) ?? [];
  return scheme === undefined || htmlPolicy.schemes.some((one) => one === scheme.toLowerCase());
}
