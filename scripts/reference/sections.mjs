import { shows } from './examples.mjs';
import { membersOf } from './read-source.mjs';

/** What a page lacks: options without a word or without an example. Filled while pages are made. */
const gaps = new Set();

export function takeGaps() {
  const found = [...gaps];
  gaps.clear();
  return found;
}

export function addGap(gap) {
  gaps.add(gap);
}

export function fence(language, code) {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * A part of a page: what it is, its options from the interfaces that declare them, and examples. Every option must have a
 * comment at its source and stand in one of the examples, or of those that are shown elsewhere (`also`).
 */
export function section({ title, text = '', options = [], skip = [], language = 'ts', examples, also = [] }) {
  const members = options
    .flatMap((places) => [...membersOf(...places).values()])
    .filter(({ name }) => !skip.includes(name));
  const code = [...examples, ...also].join('\n');
  for (const { name, doc } of members) {
    if (doc === '') gaps.add(`${title}: ${name} has no comment`);
    if (!shows(code, name)) gaps.add(`${title}: ${name} has no example`);
  }
  const seen = new Set();
  const rows = members
    .filter(({ name }) => !seen.has(name) && seen.add(name))
    .map(({ name, doc, isOptional }) => [`\`${name}\``, `${doc}${isOptional ? '' : ' **Required.**'}`]);
  const parts = [`## ${title}`];
  if (text !== '') parts.push(text);
  if (rows.length > 0) parts.push(table(['name', ''], rows));
  return [...parts, ...examples.map((example) => fence(language, example))].join('\n\n');
}

/** The same where nothing of it must be given, or all of it is. */
export function told(part) {
  return section(part).replaceAll(' **Required.** |', ' |');
}
