import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/**
 * Rules and tests belong together: a built rule has a test of its name, not only a variant for the long run (`long`), and a test
 * quotes only rules that exist. No two rules have the same id.
 */
const page = readFileSync(`${root}/docs/rules.md`, 'utf8');
const idRow = /^\| ([A-Z]{2,4}-\d+) \|/gm;
const [built, later = ''] = page.split(/^## To come$/m);
const builtRules = idsIn(built);
const known = new Set([...builtRules, ...idsIn(later)]);

/** Names of standards that look like rules. */
const standards = new Set(['UTF-8', 'UTF-16', 'SHA-256', 'ISO-8601']);

const quoted = new Set();
const problems = [];
for (const file of sourceFiles('*/tests/*.ts', '*/tests/*.tsx')) {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  for (const [, variant, id] of text.matchAll(
    /(\blong(?:\.each\(.*\))?\(\s*)?['"`]\s*((?:[A-Z]{2,4}-\d+[,;:]?\s*)+)/g,
  )) {
    for (const [rule] of id.matchAll(/[A-Z]{2,4}-\d+/g)) {
      if (standards.has(rule)) continue;
      if (!variant) quoted.add(rule);
      if (!known.has(rule)) problems.push(`${file}: there is no rule ${rule} in docs/rules.md`);
    }
  }
}
const ids = [...page.matchAll(idRow)].map(([, id]) => id);
for (const rule of new Set(ids.filter((id, at) => ids.indexOf(id) !== at)))
  problems.push(`docs/rules.md: ${rule} is the id of two rules`);
for (const rule of builtRules)
  if (!quoted.has(rule)) problems.push(`docs/rules.md: no test of npm test quotes ${rule}`);
for (const problem of new Set(problems)) console.error(problem);
console.log(`${builtRules.size} rules`);
process.exit(problems.length === 0 ? 0 : 1);

function idsIn(text) {
  return new Set([...text.matchAll(idRow)].map(([, id]) => id));
}
