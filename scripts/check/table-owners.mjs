import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/** The database package keeps this one before any model is known. */
const alsoOwnedBy = { sys_migration: 'packages/database' };

/** Only the owner of a table names it in SQL: the part, package or addon that defines its model. */
export function tableProblems() {
  const files = sourceFiles('packages', 'apps', 'addons').filter(
    (file) => file.endsWith('.ts') && !/\/tests\/|\.test(-d)?\.ts$|^packages\/testing\//.test(file),
  );
  const texts = new Map(files.map((file) => [file, readFileSync(`${root}/${file}`, 'utf8')]));
  const owners = findOwners(texts);
  return [...texts].flatMap(([file, text]) => {
    const home = homeOf(file);
    return namedTables(text, owners)
      .filter((table) => !owners.get(table).has(home))
      .map((table) => `${file}: the table ${table} belongs to ${[...owners.get(table)].join(' and ')}, ask there`);
  });
}

function findOwners(texts) {
  const owners = new Map();
  const add = (table, home) => owners.set(table, (owners.get(table) ?? new Set()).add(home));
  for (const [file, text] of texts) {
    for (const [, model] of text.matchAll(/\bdefineModel\(\s*'([a-z0-9_.]+)'/g))
      add(model.replaceAll('.', '_'), homeOf(file));
    for (const [, table] of text.matchAll(/\bthrough: \{ table: '([a-z0-9_]+)'/g)) add(table, homeOf(file));
  }
  for (const [table, home] of Object.entries(alsoOwnedBy)) add(table, home);
  return owners;
}

/** Tables in the `sql` templates of a file, those nested in them included. */
function namedTables(text, owners) {
  const named = new Set();
  for (const { index } of text.matchAll(/\bsql`/g)) {
    for (const [word] of templateAt(text, index + 4).matchAll(/[a-z][a-z0-9_]*/g))
      if (owners.has(word)) named.add(word);
  }
  return [...named];
}

/** The words of a template without what is put into it. */
function templateAt(text, from) {
  let words = '';
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const isOpening = depth === 0 ? text.startsWith('${', at) : text[at] === '{';
    if (isOpening) depth++;
    else if (depth > 0 && text[at] === '}') depth--;
    else if (depth === 0 && text[at] === '`') return words;
    if (isOpening && depth === 1) at++;
    words += depth === 0 ? text[at] : ' ';
  }
  return words;
}

function homeOf(file) {
  const [top, name, part] = file.split('/');
  return name === 'parts' && part.indexOf('.') < 0 ? `${top}/${name}/${part}` : `${top}/${name}`;
}
