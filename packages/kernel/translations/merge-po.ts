import { type PoEntry, parsePo } from './parse-po.ts';
import { pluralCategories } from './read-wordbooks.ts';

/** A message that a wordbook should have. */
export interface WantedMessage {
  readonly context: string | null;
  readonly id: string;
  readonly plural: string | null;
}

export interface MergedPo {
  readonly text: string;
  /** Messages that were not in the file; those among its obsolete ones have their translation again. */
  readonly added: readonly WantedMessage[];
  /** Messages that became obsolete. */
  readonly removed: readonly WantedMessage[];
  /** Messages without a translation, fuzzy ones included; those of data and imports are optional and do not count. */
  readonly untranslated: number;
}

type Message = Pick<PoEntry, 'context' | 'id' | 'plural' | 'strings' | 'comments'>;

const contexts: readonly (string | null)[] = [null, 'client', 'data', 'import'];

/**
 * A gettext file with exactly the wanted messages. Messages that are there keep their place, translation and comments; new ones are
 * inserted before the next one of their context in alphabetical order. Messages that are no longer wanted and have a translation are
 * kept at the end as obsolete (`#~`), and come back with their text. Messages for which `isKept` holds stay although nobody wants them.
 */
export function mergePo(
  source: string | null,
  lang: string,
  wanted: readonly WantedMessage[],
  isKept: (message: WantedMessage) => boolean = () => false,
): MergedPo {
  const entries = source === null ? [] : parsePo(source);
  const obsolete = new Map(obsoleteOf(source ?? '').map((entry) => [keyOf(entry), entry]));
  const wantedKeys = new Set(wanted.map(keyOf));
  const header = entries.find(({ id }) => id === '') ?? headerOf(lang);
  const own = entries.filter(({ id }) => id !== '');
  const stays = (entry: PoEntry) => wantedKeys.has(keyOf(entry)) || isKept(entry);
  const messages: Message[] = own.filter(stays);
  const removed = own.filter((entry) => !stays(entry));
  const present = new Set(own.map(keyOf));
  const added = wanted.filter((message) => !present.has(keyOf(message))).sort(compare);
  for (const message of added) {
    insert(
      messages,
      obsolete.get(keyOf(message)) ?? { ...message, strings: emptyStrings(message, lang), comments: [] },
    );
    obsolete.delete(keyOf(message));
  }
  for (const entry of removed) if (!entry.isFuzzy && !entry.strings.includes('')) obsolete.set(keyOf(entry), entry);
  const blocks = [header, ...messages].map((message) => writeMessage(message));
  const old = [...obsolete.values()].map((message) =>
    writeMessage({ ...message, comments: [] }).replaceAll(/^/gm, '#~ '),
  );
  const untranslated = messages.filter(
    ({ context, strings, comments }) =>
      (context === null || context === 'client') &&
      (strings.includes('') || comments.some((line) => /^#,.*\bfuzzy\b/.test(line))),
  ).length;
  return { text: `${[...blocks, ...old].join('\n\n')}\n`, added, removed, untranslated };
}

/** A counted text is another message than the same text alone. */
function keyOf({ context, id, plural }: WantedMessage): string {
  return [context ?? '', id, plural ?? ''].join('\u0004');
}

function compare(a: WantedMessage, b: WantedMessage): number {
  return contexts.indexOf(a.context) - contexts.indexOf(b.context) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function insert(messages: Message[], message: Message): void {
  const before = messages.findIndex((each) => each.context === message.context && each.id > message.id);
  const last = messages.findLastIndex((each) => contexts.indexOf(each.context) <= contexts.indexOf(message.context));
  messages.splice(before >= 0 ? before : last + 1, 0, message);
}

function obsoleteOf(source: string): readonly PoEntry[] {
  const lines = source.split(/\r?\n/).filter((line) => line.startsWith('#~'));
  return parsePo(lines.map((line) => line.replace(/^#~ ?/, '')).join('\n'));
}

function headerOf(lang: string): Message {
  const strings = [`Language: ${lang}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n`];
  return { context: null, id: '', plural: null, strings, comments: [] };
}

function emptyStrings({ plural }: WantedMessage, lang: string): readonly string[] {
  return plural === null ? [''] : pluralCategories(lang).map(() => '');
}

function writeMessage({ context, id, plural, strings, comments }: Message): string {
  return [
    ...comments,
    ...(context === null ? [] : [`msgctxt ${quoted(context)}`]),
    `msgid ${quoted(id)}`,
    ...(plural === null ? [] : [`msgid_plural ${quoted(plural)}`]),
    ...strings.map((text, index) => `msgstr${plural === null ? '' : `[${index}]`} ${quoted(text)}`),
  ].join('\n');
}

/** A text of several lines has one for each, as other tools write it. */
function quoted(text: string): string {
  const lines = text.split(/(?<=\n)(?=.)/s);
  const written = lines.map((line) => `"${escaped(line)}"`);
  return lines.length > 1 ? ['""', ...written].join('\n') : (written[0] as string);
}

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r');
}
