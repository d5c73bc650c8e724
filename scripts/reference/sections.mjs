import { shows } from './examples.mjs';
import { membersOf } from './read-source.mjs';

/** Gaps of a page: options without a comment or an example. Filled while pages are generated. */
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
 * A section of a page: its text, its options from the interfaces that declare them, and examples. Every option must have a comment
 * in its source and occur in one of the examples, or in those shown elsewhere (`also`).
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

/** The same for options that are all optional or all required. */
export function told(part) {
  return section(part).replaceAll(' **Required.** |', ' |');
}
