import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const block = /<!-- bench -->[\s\S]*<!-- \/bench -->/;

/** Puts the table and where it was measured into the page, between its two marks. */
export function writePage(table, facts) {
  const text = readFileSync(page, 'utf8');
  if (!block.test(text)) throw new Error(`${page} has no place for the table: <!-- bench --> and <!-- /bench -->.`);
  const about = `Measured on ${facts.join(', ')}.`;
  writeFileSync(page, text.replace(block, `<!-- bench -->\n${about}\n\n${table}\n<!-- /bench -->`));
}
