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
  /** As many as a long newsletter has. Cleaning one takes a hundredth of a millisecond. */
  mostElements: 8_000,
} as const satisfies {
  readonly tags: readonly string[];
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  readonly schemes: readonly string[];
  readonly rel: string;
  readonly mostElements: number;
};

/** Whether rich text may link there: a page, mail or phone number, or a path of this site; never a script. */
export function isAllowedAddress(href: string): boolean {
  // Browsers ignore control characters and spaces in a scheme.
  const address = [...href].filter((one) => one > ' ').join('');
  if (/^[\\/]{2}/.test(address)) return false;
  const [, scheme] = /^([^/?#:]*):/.exec(address) ?? [];
  return scheme === undefined || htmlPolicy.schemes.some((one) => one === scheme.toLowerCase());
}

/**
 * The number of elements in HTML that was not cleaned yet, to compare it with the limit before the work.
 * ```ts
 * export const isTooLong = (written: string) => elementsIn(written) > htmlPolicy.mostElements;
 * ```
 */
export function elementsIn(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    // Upper and lower case differ in one bit.
    const letter = html.charCodeAt(at + 1) | 32;
    if (letter >= 97 && letter <= 122) count++;
  }
  return count;
}
