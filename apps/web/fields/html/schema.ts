import { htmlPolicy, isAllowedAddress } from '@kontor/protocol';
import { type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';

/** The elements that are parsed as each mark; the first one is written. */
const markTags: Readonly<Record<string, readonly string[]>> = {
  strong: ['b', 'strong'],
  em: ['i', 'em'],
  underline: ['u'],
  strike: ['s'],
  ...Object.fromEntries(['del', 'ins', 'sub', 'sup', 'small', 'mark', 'code'].map((tag) => [tag, [tag]])),
};

function markSpec(tags: readonly string[]): MarkSpec {
  const [written = 'span'] = tags;
  return { parseDOM: tags.map((tag) => ({ tag })), toDOM: () => [written, 0] };
}

const link: MarkSpec = {
  attrs: { href: { validate: 'string' }, title: { default: null, validate: 'string|null' } },
  inclusive: false,
  parseDOM: [
    {
      tag: 'a[href]',
      getAttrs(element) {
        const href = element.getAttribute('href') ?? '';
        return isAllowedAddress(href) && { href, title: element.getAttribute('title') };
      },
    },
  ],
  toDOM: ({ attrs: { href, title } }) => ['a', { href, ...(title ? { title } : {}), rel: htmlPolicy.rel }, 0],
};

/** A block that is written as one element. */
function block(tag: string, content: string, more: NodeSpec = {}): NodeSpec {
  return { content, parseDOM: [{ tag }], toDOM: () => [tag, 0] as DOMOutputSpec, ...more };
}

const headings = [1, 2, 3, 4, 5, 6];

const cellAttributes = ['colspan', 'rowspan'] as const;

function cell(tag: 'td' | 'th'): NodeSpec {
  const attrs = Object.fromEntries(cellAttributes.map((name) => [name, { default: 1, validate: 'number' }]));
  const getAttrs = (element: HTMLElement) =>
    Object.fromEntries(cellAttributes.map((name) => [name, Number(element.getAttribute(name)) || 1]));
  return {
    content: 'block+',
    attrs,
    isolating: true,
    parseDOM: [{ tag, getAttrs }],
    toDOM: (node) => [tag, Object.fromEntries(cellAttributes.flatMap((name) => spanOf(node.attrs, name))), 0],
  };
}

function spanOf(attrs: Readonly<Record<string, unknown>>, name: string): readonly (readonly [string, string])[] {
  return attrs[name] === 1 ? [] : [[name, String(attrs[name])]];
}

/**
 * Everything that `htmlPolicy` allows, as a document. Loaded and pasted HTML is parsed into it, so the editor cannot hold anything else. `div` and
 * `span` are replaced by their content.
 */
export const htmlSchema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: block('p', 'inline*', { group: 'block' }),
    heading: {
      content: 'inline*',
      group: 'block',
      defining: true,
      attrs: { level: { default: 3, validate: 'number' } },
      parseDOM: headings.map((level) => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: ({ attrs: { level } }) => [`h${level}`, 0],
    },
    blockquote: block('blockquote', 'block+', { group: 'block', defining: true }),
    code_block: block('pre', 'text*', {
      group: 'block',
      marks: '',
      code: true,
      defining: true,
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    }),
    horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
    bullet_list: block('ul', 'list_item+', { group: 'block' }),
    ordered_list: block('ol', 'list_item+', { group: 'block' }),
    list_item: block('li', 'paragraph block*', { defining: true }),
    definition_list: block('dl', '(definition_term | definition)+', { group: 'block' }),
    definition_term: block('dt', 'inline*'),
    definition: block('dd', 'block+'),
    table: block('table', 'caption? table_head? table_body* table_foot?', { group: 'block', isolating: true }),
    caption: block('caption', 'inline*'),
    table_head: block('thead', 'table_row+'),
    table_body: block('tbody', 'table_row+'),
    table_foot: block('tfoot', 'table_row+'),
    table_row: block('tr', '(table_cell | table_header)*'),
    table_cell: cell('td'),
    table_header: cell('th'),
    text: { group: 'inline' },
    hard_break: { inline: true, group: 'inline', selectable: false, parseDOM: [{ tag: 'br' }], toDOM: () => ['br'] },
  },
  marks: { link, ...Object.fromEntries(Object.entries(markTags).map(([name, tags]) => [name, markSpec(tags)])) },
});
