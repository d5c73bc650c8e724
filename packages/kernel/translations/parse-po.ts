/** One message of a gettext file. */
export interface PoEntry {
  readonly context: string | null;
  readonly id: string;
  readonly plural: string | null;
  /** One, or one for each plural form; empty if it is not translated yet. */
  readonly strings: readonly string[];
  readonly isFuzzy: boolean;
  readonly line: number;
  /** Comments before the message, as written; without those of obsolete messages. */
  readonly comments: readonly string[];
}

/** A mistake in a file, with its line. */
export class PoError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

interface Draft {
  line: number;
  isFuzzy: boolean;
  comments: string[];
  parts: Map<string, string>;
}

const keyword = /^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d{1,2}\])?)\s+(".*")$/;
const quoted = /^"(?:[^"\\]|\\.)*"$/;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };

/** The messages of a gettext file in order, including the header (an empty id). Throws `PoError`. */
export function parsePo(source: string): readonly PoEntry[] {
  const entries: PoEntry[] = [];
  let draft = emptyDraft();
  let part: string | null = null;
  const finish = (): void => {
    // Comments belong to the next message, also after an empty line.
    if (draft.parts.size === 0) return;
    entries.push(toEntry(draft));
    draft = emptyDraft();
    part = null;
  };
  for (const [index, raw] of source
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n/)
    .entries()) {
    const text = raw.trim();
    const line = index + 1;
    if (text === '') finish();
    else if (text.startsWith('#')) {
      if (draft.parts.size > 0) finish();
      if (text.startsWith('#~')) draft = emptyDraft();
      else draft.comments.push(text);
      if (text.startsWith('#,') && /\bfuzzy\b/.test(text)) draft.isFuzzy = true;
    } else {
      const found = keyword.exec(text);
      const word = found?.[1];
      if ((word === 'msgid' && draft.parts.has('msgid')) || (word === 'msgctxt' && draft.parts.size > 0)) finish();
      if (word !== undefined) {
        if (draft.parts.has(word)) throw new PoError(line, `${word} is given twice.`);
        if (draft.parts.size === 0) draft.line = line;
        part = word;
      }
      if (part === null) throw new PoError(line, 'A message begins with msgid or msgctxt.');
      draft.parts.set(part, (draft.parts.get(part) ?? '') + unquote(found?.[2] ?? text, line));
    }
  }
  finish();
  return entries;
}

function emptyDraft(): Draft {
  return { line: 0, isFuzzy: false, comments: [], parts: new Map() };
}

function unquote(text: string, line: number): string {
  if (!quoted.test(text))
    throw new PoError(line, 'A text stands in one pair of double quotes, with \\" and \\n inside.');
  return text.slice(1, -1).replaceAll(/\\(.)/g, (_, char: string) => {
    const plain = escapes[char];
    if (plain === undefined) throw new PoError(line, `\\${char} means nothing here; use \\n, \\t, \\" or \\\\.`);
    return plain;
  });
}

function toEntry({ line, isFuzzy, comments, parts }: Draft): PoEntry {
  const id = parts.get('msgid');
  if (id === undefined) throw new PoError(line, 'The message has no msgid.');
  const plural = parts.get('msgid_plural') ?? null;
  const strings = stringsOf(parts, plural, line);
  return { context: parts.get('msgctxt') ?? null, id, plural, strings, isFuzzy, line, comments };
}

function stringsOf(parts: ReadonlyMap<string, string>, plural: string | null, line: number): readonly string[] {
  const forms = [...parts.keys()].filter((name) => name.startsWith('msgstr'));
  const wanted = plural === null ? ['msgstr'] : forms.map((_, index) => `msgstr[${index}]`);
  const isInOrder = forms.length > 0 && wanted.length === forms.length && wanted.every((name) => parts.has(name));
  if (!isInOrder) {
    throw new PoError(
      line,
      plural === null ? 'The message needs one msgstr.' : 'A plural needs msgstr[0], msgstr[1] and so on.',
    );
  }
  return wanted.map((name) => parts.get(name) as string);
}
