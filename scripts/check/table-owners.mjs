import { readFileSync } from 'node:fs';
import { root, sourceFiles } from './source-files.mjs';

/** The database package uses this one before any model is known. */
const alsoOwnedBy = { sys_migration: 'packages/database' };

/** Only the owner of a table names it in SQL: the part, package or addon that defines its model. */
export function tableProblems() {
  const files = sourceFiles('packages', 'apps', 'addons').filter(
    (file) => file.endsWith('.ts') && !/\/tests\/|\.test(-d)?\.ts$|^packages\/testing\//.test(file),
  );
  const withoutComments = (text) => text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return tableProblemsIn(
    new Map(files.map((file) => [file, withoutComments(readFileSync(`${root}/${file}`, 'utf8'))])),
  );
}

export function tableProblemsIn(texts) {
  const owners = findOwners(texts);
  return [...texts].flatMap(([file, text]) => {
    const home = homeOf(file);
    const named = new Set([...tablesInSql(text), ...quotedNames(text), ...tablesOfModels(text)]);
    return [...named]
      .filter((table) => owners.has(table) && !owners.get(table).has(home))
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

/** Words in the `sql` templates of a file, those nested in them included. */
function tablesInSql(text) {
  return [...text.matchAll(/\bsql`/g)].flatMap(
    ({ index }) => templateAt(text, index + 4).match(/[a-z][a-z0-9_]*/g) ?? [],
  );
}

/** Texts that are a name and nothing else, as `ident` takes them. */
function quotedNames(text) {
  return [...text.matchAll(/'([a-z][a-z0-9_]*)'/g)].map(([, name]) => name);
}

/** Tables of models that a file looks up by name in the registry: `registry.model('sys.log').table`, also by way of a constant. */
function tablesOfModels(text) {
  const constants = new Map(
    [...text.matchAll(/\bconst (\w+) = '([a-z0-9_.]+)'/g)].map(([, name, value]) => [name, value]),
  );
  const lookup = /\.(?:model|models\s*\??\.get)\(\s*(?:'([a-z0-9_.]+)'|(\w+))\s*\)(\s*[?!]?\.table\b)?/g;
  return [...text.matchAll(lookup)].flatMap(({ index, 1: quoted, 2: constant, 3: isDirect }) => {
    const model = quoted ?? constants.get(constant);
    const isNamed = isDirect !== undefined || isTableUsed(text, index);
    return model !== undefined && isNamed ? model.replaceAll('.', '_') : [];
  });
}

/** Whether the file uses the table of the constant that is looked up at a place. */
function isTableUsed(text, at) {
  const statement = text.slice(text.lastIndexOf('const ', at), at);
  if (statement.includes(';')) return false;
  const [, names] = /^const (\{[^}]*\}|\w+)/.exec(statement) ?? [];
  if (names === undefined) return false;
  if (names.startsWith('{')) return /\btable\b/.test(names);
  return new RegExp(`\\b${names}[?!]?\\.table\\b|\\btable\\b[^;=]*\\} = ${names}\\b`).test(text);
}

/** The text of a template without its substitutions. */
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
