import { htmlPolicy, isAllowedAddress } from '@kontor/protocol';

const tags: ReadonlySet<string> = new Set(htmlPolicy.tags);
const attributes: Readonly<Record<string, readonly string[]>> = htmlPolicy.attributes;
/** Elements that are removed together with their content. */
const gone: ReadonlySet<string> = new Set([
  ...['script', 'style', 'iframe', 'object', 'embed', 'template', 'svg', 'math', 'head', 'title', 'noscript'],
  ...['textarea', 'option', 'xmp'],
]);

/**
 * Keeps only what `htmlPolicy` allows. The server does the same; this protects the page from HTML that did not come
 * from it.
 */
export function sanitiseHtml(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  clean(page.body);
  return page.body.innerHTML;
}

function clean(parent: Element): void {
  for (const node of [...parent.childNodes]) {
    if (node.nodeType === Node.TEXT_NODE) continue;
    const tag = node instanceof Element ? node.tagName.toLowerCase() : '';
    if (!(node instanceof Element) || gone.has(tag)) {
      node.remove();
      continue;
    }
    clean(node);
    if (!tags.has(tag)) {
      node.replaceWith(...node.childNodes);
      continue;
    }
    for (const { name } of [...node.attributes]) if (!attributes[tag]?.includes(name)) node.removeAttribute(name);
    if (node instanceof HTMLAnchorElement) secure(node);
  }
}

function secure(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href');
  if (href === null || !isAllowedAddress(href)) {
    link.removeAttribute('href');
    return;
  }
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
}
