import { safeHref } from '../safe-href.ts';

const allowed: Readonly<Record<string, readonly string[]>> = {
  A: ['href', 'title'],
  B: [],
  BLOCKQUOTE: [],
  BR: [],
  CODE: [],
  DEL: [],
  DIV: [],
  EM: [],
  H1: [],
  H2: [],
  H3: [],
  H4: [],
  HR: [],
  I: [],
  LI: [],
  OL: ['start'],
  P: [],
  PRE: [],
  S: [],
  SPAN: ['class', 'data-user'],
  STRONG: [],
  SUB: [],
  SUP: [],
  TABLE: [],
  TBODY: [],
  TD: ['colspan', 'rowspan'],
  TH: ['colspan', 'rowspan'],
  THEAD: [],
  TR: [],
  U: [],
  UL: [],
};
const gone = new Set([
  'SCRIPT',
  'STYLE',
  'IFRAME',
  'OBJECT',
  'EMBED',
  'TEMPLATE',
  'SVG',
  'MATH',
  'HEAD',
  'TITLE',
  'NOSCRIPT',
]);

/** Leaves only what formatted text needs. The server does the same; this keeps pasted pages from running here first. */
export function sanitiseHtml(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  clean(page.body);
  return page.body.innerHTML;
}

function clean(parent: Element): void {
  for (const node of [...parent.childNodes]) {
    if (node.nodeType === Node.TEXT_NODE) continue;
    if (!(node instanceof Element) || gone.has(node.tagName.toUpperCase())) {
      node.remove();
      continue;
    }
    clean(node);
    const attributes = allowed[node.tagName];
    if (!attributes) {
      node.replaceWith(...node.childNodes);
      continue;
    }
    for (const { name } of [...node.attributes]) if (!attributes.includes(name)) node.removeAttribute(name);
    if (node instanceof HTMLAnchorElement) secure(node);
  }
}

function secure(link: HTMLAnchorElement): void {
  const href = safeHref(link.getAttribute('href') ?? '');
  if (href === null) {
    link.removeAttribute('href');
    return;
  }
  link.href = href;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
}
