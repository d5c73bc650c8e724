import { recordPath } from '@kontor/addon';

/** The user that a mention names; null if there is none. */
export type NameOf = (userId: number) => string | null;

const mention = /@\[[^\]\n]{1,200}\]\(user:(\d{1,9})\)/g;

/** Mentioned users, each once. */
export function mentionedIn(text: string): readonly number[] {
  return [...new Set([...text.matchAll(mention)].map((match) => Number(match[1])))];
}

/** The text without markup, on one line, for a notification. */
export function plainText(text: string, nameOf: NameOf, length = 200): string {
  const plain = text
    .replaceAll(mention, (whole, id) => `@${nameOf(Number(id)) ?? nameIn(whole)}`)
    .replaceAll(/\[([^\]\n]{1,500})\]\([^)\s]{1,2000}\)/g, '$1')
    .replaceAll(/[*`~>#]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain;
}

/**
 * Light Markdown as HTML: paragraphs, lists, quotes, code, **bold**, *italic*, ~~struck~~, links and mentions. Everything else is
 * text: the input is escaped before any mark is parsed, and the result is sanitised again when it is stored.
 */
export function markdownToHtml(text: string, nameOf: NameOf): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const kind = kindOf(lines[at] as string);
    let end = at + 1;
    if (kind.name === 'fence') while (end < lines.length && !isFence(lines[end] as string)) end++;
    else while (end < lines.length && kindOf(lines[end] as string).name === kind.name) end++;
    const own = lines.slice(at, end);
    blocks.push(kind.write(own, (line) => inline(line, nameOf)));
    at = kind.name === 'fence' ? end + 1 : end;
  }
  return blocks.join('');
}

interface Block {
  readonly name: string;
  write(lines: readonly string[], mark: (line: string) => string): string;
}

const paragraph: Block = {
  name: 'paragraph',
  write: (lines, mark) => `<p>${lines.map(mark).join('<br>')}</p>`,
};
const blank: Block = { name: 'blank', write: () => '' };
const fence: Block = {
  name: 'fence',
  write: (lines) => `<pre><code>${lines.slice(1).map(escapeHtml).join('\n')}</code></pre>`,
};
const quote: Block = {
  name: 'quote',
  write: (lines, mark) =>
    `<blockquote>${lines.map((line) => mark(line.replace(/^> ?/, ''))).join('<br>')}</blockquote>`,
};
const bullets: Block = { name: 'bullets', write: (lines, mark) => list('ul', lines, /^[-*] +/, mark) };
const numbers: Block = { name: 'numbers', write: (lines, mark) => list('ol', lines, /^\d{1,3}[.)] +/, mark) };

function kindOf(line: string): Block {
  if (line.trim() === '') return blank;
  if (isFence(line)) return fence;
  if (line.startsWith('>')) return quote;
  if (/^[-*] +\S/.test(line)) return bullets;
  return /^\d{1,3}[.)] +\S/.test(line) ? numbers : paragraph;
}

function isFence(line: string): boolean {
  return line.startsWith('```');
}

function list(tag: 'ul' | 'ol', lines: readonly string[], mark: RegExp, inlineOf: (line: string) => string): string {
  return `<${tag}>${lines.map((line) => `<li>${inlineOf(line.replace(mark, ''))}</li>`).join('')}</${tag}>`;
}

/** One alternative per mark. None can restart from its own middle, so that the time is linear in the length of the text. */
const marks = new RegExp(
  [
    '`([^`\\n]+)`',
    '\\*\\*([^*\\n]+)\\*\\*',
    '~~([^~\\n]+)~~',
    '\\*([^*\\s][^*\\n]*)\\*',
    '(?<![\\w/])_([^_\\s][^_\\n]*)_(?!\\w)',
    '@\\[([^\\]\\n]{1,200})\\]\\(user:(\\d{1,9})\\)',
    '\\[([^\\]\\n]{1,500})\\]\\(([^)\\s]{1,2000})\\)',
    '(https?:\\/\\/[^\\s<>"]{1,2000})',
  ].join('|'),
  'g',
);

function inline(text: string, nameOf: NameOf): string {
  let html = '';
  let at = 0;
  for (const match of text.matchAll(marks)) {
    html += escapeHtml(text.slice(at, match.index)) + marked(match, nameOf);
    at = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(at));
}

function marked(match: RegExpExecArray, nameOf: NameOf): string {
  const [whole, code, bold, struck, star, underscore, name, userId, label, target, address] = match;
  if (code !== undefined) return `<code>${escapeHtml(code)}</code>`;
  if (bold !== undefined) return `<strong>${inline(bold, nameOf)}</strong>`;
  if (struck !== undefined) return `<del>${inline(struck, nameOf)}</del>`;
  const slanted = star ?? underscore;
  if (slanted !== undefined) return `<em>${inline(slanted, nameOf)}</em>`;
  if (name !== undefined) return mentionLink(Number(userId), nameOf(Number(userId)), name);
  if (target !== undefined) {
    return isSafe(target) ? link(target, escapeHtml(label as string)) : escapeHtml(whole);
  }
  const [, url = '', tail = ''] = /^(.*?)([.,;:!?)]*)$/.exec(address as string) ?? [];
  return link(url, escapeHtml(url)) + escapeHtml(tail);
}

function mentionLink(userId: number, name: string | null, written: string): string {
  if (name === null) return escapeHtml(`@${written}`);
  return link(recordPath('core.user', userId), escapeHtml(`@${name}`));
}

function isSafe(target: string): boolean {
  return /^(https?:\/\/|mailto:|\/web[/?])/i.test(target);
}

function link(href: string, html: string): string {
  return `<a href="${escapeHtml(href)}">${html}</a>`;
}

function nameIn(written: string): string {
  return written.slice(2, written.indexOf(']'));
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
