import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/** A class in a style sheet is dead if no code of the client names it, completely or as the start of a template (`badge-${look}`). */
const read = (file) => readFileSync(`${root}/${file}`, 'utf8');
const code = sourceFiles(
  ...['apps/web/*.ts', 'apps/web/*.tsx', 'addons/*/client/*.ts', 'addons/*/client/*.tsx'],
  // Pages of addons outside the client.
  ...['addons/*/page/*.ts', 'addons/*/pages/*.ts'],
)
  .map(read)
  .join('\n');
const words = new Set(code.match(/[a-zA-Z][\w-]*/g));
const beginnings = [...new Set([...code.matchAll(/([a-zA-Z][\w-]+)\$\{/g)].map(([, beginning]) => beginning))];

let dead = 0;
for (const file of sourceFiles('apps/web/*.css', 'addons/*.css')) {
  const sheet = read(file).replace(/\/\*[\s\S]*?\*\/|"[^"\n]*"|\burl\([^)]*\)/g, '');
  const selectors = [...sheet.matchAll(/[^{};]+(?=\{)/g)].map(([selector]) => selector);
  const names = new Set(selectors.flatMap((selector) => selector.match(/(?<=\.)[a-zA-Z][\w-]*/g) ?? []));
  for (const name of names) {
    if (words.has(name) || beginnings.some((beginning) => name.startsWith(beginning))) continue;
    console.error(`${file}: nothing has the class ${name}`);
    dead++;
  }
}
process.exit(dead === 0 ? 0 : 1);
