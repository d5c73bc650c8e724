import createBidi from 'bidi-js';

let opened: ReturnType<typeof createBidi> | null = null;

/** Its tables are built for the first printed text, not at start. */
function bidi(): ReturnType<typeof createBidi> {
  opened ??= createBidi();
  return opened;
}

/** Hebrew, Arabic and other scripts with their letters, and the mark that represents one of them. */
const rightToLeft = /[\u0590-\u08ff\u200f\u2067\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Letters that change with their neighbours, and the marks above and below them; numbers are read the other way. */
const joined =
  /(?:(?![\p{Nd}\p{P}\u0600-\u0605])[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Mn}\u0640\u200c\u200d])+/uy;
/** Invisible characters that control the order of text. */
const unseen = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** Characters that are written as one, in reading order, and their nesting level: odd levels run leftwards. */
export interface Written {
  readonly text: string;
  readonly level: number;
  readonly isJoined: boolean;
}

/** A paragraph by the Unicode bidirectional algorithm. Its direction is that of its first letter with a direction. */
export function writtenParts(paragraph: string): readonly Written[] {
  const { levels } = bidi().getEmbeddingLevels(paragraph, 'auto');
  const parts: Written[] = [];
  for (let at = 0; at < paragraph.length; ) {
    const level = levels[at] ?? 0;
    joined.lastIndex = at;
    const word = joined.exec(paragraph)?.[0];
    const text = word ?? String.fromCodePoint(paragraph.codePointAt(at) as number);
    at += text.length;
    if (word !== undefined) parts.push({ text, level, isJoined: true });
    else if (!unseen.test(text)) parts.push({ text: turned(text, level), level, isJoined: false });
  }
  return parts;
}

/** An opening bracket is mirrored in right-to-left text. */
function turned(character: string, level: number): string {
  return level % 2 === 1 ? (bidi().getMirroredCharacter(character) ?? character) : character;
}

/** A line in visual order from left to right: from the deepest level on, nested runs are reversed. */
export function inSeenOrder<T extends { readonly level: number }>(line: readonly T[]): readonly T[] {
  const deepest = line.reduce((most, { level }) => Math.max(most, level), 0);
  const seen = [...line];
  for (let level = deepest; level > 0; level--) {
    for (let from = 0; from < seen.length; from++) {
      let to = from;
      while (to < seen.length && (seen[to] as T).level >= level) to++;
      if (to > from + 1) seen.splice(from, to - from, ...seen.slice(from, to).reverse());
      from = to;
    }
  }
  return seen;
}
