import sanitizeHtml from 'sanitize-html';
import type { FieldKind } from './kind.ts';
import { checkText, isAbsent } from './text-check.ts';

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'div', 'span', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code'],
    ...['b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'mark', 'a'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption'],
  ],
  allowedAttributes: { a: ['href', 'title', 'rel'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 64,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }) },
};

/** Rich text. What a browser could run is taken out when it is written, so that every reader may show it as it is. */
export const htmlKind: FieldKind = {
  column: () => 'text',
  cast: (value) => (isAbsent(value) ? null : sanitizeHtml(checkText(value), allowed)),
  toParameter: (value) => value,
  fromCell: (cell) => cell,
  cellToJson: (cell) => JSON.stringify(cell),
  wire: 'text',
  isEmpty: (value) => isAbsent(value) || (typeof value === 'string' && isHollow(value)),
};

/** An editor that was opened and closed leaves `<p><br></p>`; that is not content. */
function isHollow(html: string): boolean {
  return !html.includes('<hr') && html.replace(/<[^>]*>|&nbsp;|\s/g, '') === '';
}
