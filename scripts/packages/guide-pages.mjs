import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
/** What an author begins with; the reference, which is generated, leads to them as well. */
const entries = [
  'tutorial.md',
  'writing-an-addon.md',
  'cookbook.md',
  'mistakes.md',
  'views.md',
  'rpc.md',
  'clients.md',
  'boards.md',
];

/** The pages of `docs/` for authors of addons: those to begin with, and all that these link to, so that no link leads nowhere. */
export function guidePages() {
  const pages = new Set(entries);
  for (const page of pages) {
    if (!page.endsWith('.md')) continue;
    for (const target of linksOf(readFileSync(join(docs, page), 'utf8'))) {
      const linked = normalize(join(dirname(page), target));
      if (!linked.startsWith('reference/')) pages.add(linked);
    }
  }
  return [...pages].sort();
}

/** The files that a page links to, relative to it. */
export function linksOf(text) {
  const links = [...text.matchAll(/\]\(([^)#\s]+\.(?:md|png))(?:#[^)]*)?\)/g)].map(([, target]) => target);
  return links.filter((target) => !/^https?:/.test(target));
}
