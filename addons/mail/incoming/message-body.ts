import { isIP } from 'node:net';
import { elementsIn, htmlPolicy } from '@kontor/addon';
import sanitizeHtml from 'sanitize-html';

/** The body as HTML; signatures and quoted history are folded. Both are sanitised again when they are stored. */
export interface MessageBody {
  readonly shown: string;
  /** Empty if there is none. */
  readonly folded: string;
  /** Addresses of pictures on other servers, of which links take the place. */
  readonly pictures: readonly string[];
}

/** Characters. */
export const longestBody = 200_000;
const longestText = 100_000;
const deepest = 150;

/** Null if it is too long, or has too many elements or too many within each other to be read. */
export function htmlBody(html: string): MessageBody | null {
  const found = new Set<string>();
  const isTooLong = html.length > longestBody || elementsIn(html) > htmlPolicy.mostElements;
  const clean = isTooLong ? null : cleaned(html, found);
  if (clean === null) return null;
  const pictures = [...found];
  const split = splitFolded(clean);
  if (!isBlank(split.shown)) return { ...split, pictures };
  return { shown: clean.replaceAll(/ data-fold="\w+"/g, '').trim(), folded: '', pictures };
}

class TooDeep extends Error {}

/** The parser compares each closing tag with all open ones, so their number is limited, as the parser counts them. */
function cleaned(html: string, pictures: Set<string>): string | null {
  let depth = 0;
  const onOpenTag = () => {
    if (++depth > deepest) throw new TooDeep();
  };
  const onCloseTag = () => {
    depth--;
  };
  try {
    const img = (_tag: string, attributes: Attributes) => pictureLink(attributes, pictures);
    return sanitizeHtml(html, { ...options, transformTags: { '*': markFolded, img }, onOpenTag, onCloseTag });
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

const noContent = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'wbr',
]);

const tags: ReadonlySet<string> = new Set(htmlPolicy.tags);

/** What is stored as rich text, with the marks of what is folded. */
const options: sanitizeHtml.IOptions = {
  allowedTags: [...htmlPolicy.tags],
  allowedAttributes: {
    ...Object.fromEntries(Object.entries(htmlPolicy.attributes).map(([tag, names]) => [tag, [...names]])),
    '*': ['data-fold'],
  },
  allowedSchemes: [...htmlPolicy.schemes],
  allowProtocolRelative: false,
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'xml'],
  nestingLimit: 64,
  parseStyleAttributes: false,
};

type Attributes = Readonly<Record<string, string>>;

const maxPictures = 100;

/** Pictures from elsewhere tell the sender who reads when and where: a link takes their place. */
function pictureLink({ src = '', alt = '', width, height }: Attributes, pictures: Set<string>): sanitizeHtml.Tag {
  const isPixel = [width, height].some((size) => size !== undefined && Number.parseInt(size, 10) <= 2);
  const label = alt
    .replaceAll(/[\s[\]]+/g, ' ')
    .trim()
    .slice(0, 200);
  const url = isPixel ? null : pictureAddress(src);
  if (url === null) return { tagName: 'span', attribs: {}, ...(label && !isPixel ? { text: label } : {}) };
  if (pictures.size < maxPictures) pictures.add(url.href);
  return { tagName: 'a', attribs: { href: url.href }, text: `[${label || url.host}]` };
}

const longestAddress = 2_000;

/** On another server that everybody can reach: a picture must not ask one in the network of the reader. */
function pictureAddress(src: string): URL | null {
  const given = src.trim();
  if (!/^https?:\/\//i.test(given) || given.length > longestAddress || !URL.canParse(given)) return null;
  const url = new URL(given);
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  const isNamed =
    host.includes('.') && isIP(host) === 0 && !/\.(?:local|localhost|internal|lan|home\.arpa)\.?$/.test(host);
  return url.username === '' && url.password === '' && isNamed ? url : null;
}

/** Names that mail programs give to quoted history and signatures: the element itself, or all that follows it. */
const foldedClasses =
  /(?:^|\s)(?:gmail_quote|gmail_quote_container|gmail_extra|gmail_signature|yahoo_quoted|moz-cite-prefix|moz-signature|protonmail_quote|protonmail_signature_block|zmail_extra)(?:\s|$)/i;
const foldedIds = /^(?:signature|x_signature|ms-outlook-mobile-signature|isforwardcontent|yahoo_quoted_\d+)$/i;
const restIds =
  /^(?:x_)?(?:appendonsend|divrplyfwdmsg|stopspelling|reply-intro|mail-editor-reference-message-container)$/i;
const outlookLine = /border(?:-top)?:(?:none;border-top:)?solid #(?:e1e1e1|b5c4df)/i;

function markFolded(tagName: string, attribs: Attributes): sanitizeHtml.Tag {
  const { class: classes = '', id = '', style = '', type = '' } = attribs;
  const { 'data-fold': _fold, href, ...others } = attribs;
  // A path without a server would be one of this server, such as the one that signs its reader out.
  const plain: Attributes = href !== undefined && /^\s*[a-z]+:/i.test(href) ? { ...others, href } : others;
  const isRest =
    restIds.test(id) ||
    outlookLine.test(style.replaceAll(/\s+/g, ' ').replaceAll(/: | ;|; /g, (found) => found.trim()));
  const isPart = foldedClasses.test(classes) || foldedIds.test(id) || (tagName === 'blockquote' && type === 'cite');
  if (!isRest && !isPart) return { tagName, attribs: plain };
  // An element that is not stored, such as <section>, keeps its mark as another one.
  return {
    tagName: tags.has(tagName) ? tagName : 'div',
    attribs: { ...plain, 'data-fold': isRest ? 'rest' : 'part' },
  };
}

/** Separates the marked elements. The HTML is well-formed, as the sanitiser writes it. */
function splitFolded(html: string): Omit<MessageBody, 'pictures'> {
  let [shown, folded] = ['', ''];
  const open: string[] = [];
  /** How many elements are open outside the folded one; null: nothing is being folded. */
  let foldedAt: number | null = null;
  let isRest = false;
  let at = 0;
  const take = (text: string): void => {
    if (isRest || foldedAt !== null) folded += text;
    else shown += text;
  };
  for (const match of html.matchAll(/<(\/?)([a-z0-9]+)((?:\s[^<>]*)?)>/g)) {
    const [tag, slash, name = '', attributes = ''] = match;
    take(html.slice(at, match.index));
    at = match.index + tag.length;
    const isVoid = noContent.has(name);
    if (slash === '' && foldedAt === null && !isRest) {
      if (attributes.includes('data-fold="rest"')) isRest = true;
      else if (attributes.includes('data-fold="part"') && !isVoid) foldedAt = open.length;
      if (isRest)
        shown += open
          .toReversed()
          .map((each) => `</${each}>`)
          .join('');
    }
    take(tag.replace(/ data-fold="\w+"/, ''));
    if (isVoid) continue;
    if (slash === '') open.push(name);
    else {
      open.pop();
      if (foldedAt === open.length) foldedAt = null;
    }
  }
  take(html.slice(at));
  return { shown: shown.trim(), folded: isBlank(folded) ? '' : folded.trim() };
}

function isBlank(html: string): boolean {
  return html.replaceAll(/<[^<>]*>|&nbsp;|[\s\u00a0\u200b]/g, '') === '';
}

/** Plain text as HTML, with the same folds. */
export function textBody(text: string): MessageBody {
  const lines = text.slice(0, longestText).replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
  const isFolded = foldedLines(lines);
  const shown = lines.filter((_line, index) => !isFolded[index]);
  if (shown.every((line) => line.trim() === '')) return { shown: linesToHtml(lines), folded: '', pictures: [] };
  const folded = linesToHtml(lines.filter((_line, index) => isFolded[index]));
  return { shown: linesToHtml(shown), folded, pictures: [] };
}

const historyLine =
  /^(?:-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d.origine|message transféré|mensaje original|رسالة أصلية)\s*-{2,}|_{20,})\s*$/i;

/** Which lines are a signature, quoted history or its introduction. Replies between several quotations stay with them. */
function foldedLines(lines: readonly string[]): readonly boolean[] {
  const rest = lines.findIndex((line) => /^-- ?$/.test(line) || historyLine.test(line));
  const end = rest < 0 ? lines.length : rest;
  const blocks = quotedBlocks(lines.slice(0, end));
  const quoted = blocks.length === 1 ? blocks[0] : undefined;
  return lines.map(
    (_line, index) => index >= end || (quoted !== undefined && index >= quoted.from && index < quoted.to),
  );
}

interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Runs of lines with `>`, each with the line above that says who wrote when. */
function quotedBlocks(lines: readonly string[]): readonly LineRange[] {
  const blocks: LineRange[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at]?.startsWith('>')) continue;
    let to = at;
    while (
      to < lines.length &&
      (lines[to]?.startsWith('>') || (lines[to]?.trim() === '' && lines[to + 1]?.startsWith('>')))
    )
      to++;
    blocks.push({ from: introOf(lines, at), to });
    at = to;
  }
  return blocks;
}

/** `On Monday, Ada wrote:` in any language: a line that ends with a colon, which may be broken once. */
function introOf(lines: readonly string[], quote: number): number {
  let at = quote - 1;
  if (lines[at]?.trim() === '') at--;
  if (!/[:：]\s*$/.test(lines[at] ?? '')) return quote;
  const isBroken =
    !/^\s*(?:on|am|le|el|il|op|den|в|في)\b/iu.test(lines[at] as string) && (lines[at - 1] ?? '').trim() !== '';
  return isBroken ? at - 1 : at;
}

function linesToHtml(lines: readonly string[]): string {
  const text = lines.join('\n').trim();
  if (text === '') return '';
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${linked(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('');
}

function linked(text: string): string {
  let [html, at] = ['', 0];
  for (const match of text.matchAll(/https?:\/\/[^\s<>"]{1,2000}/g)) {
    const address = match[0].replace(/[.,;:!?)\]]+$/, '');
    html += `${escapeHtml(text.slice(at, match.index))}<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
    at = match.index + address.length;
  }
  return html + escapeHtml(text.slice(at));
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
