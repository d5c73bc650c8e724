import { hasRightToLeft, inSeenOrder } from './right-to-left.ts';
import { type Face, type Glyph, type Typesetter, widthOf } from './typesetter.ts';

export type Line = readonly Glyph[];

interface Room {
  readonly size: number;
  readonly width: number;
  readonly face: Face;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: texts may hold them, and no font has them.
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const unseen = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** A text as lines that fit: broken between words, or inside a word that is longer than the column. */
export function breakLines(typesetter: Typesetter, text: string, room: Room): readonly Line[] {
  const clean = text.normalize('NFC').replaceAll(/\r\n?/g, '\n').replaceAll(unprintable, '');
  if (!hasRightToLeft(clean)) return breakParagraphs(typesetter, clean.replaceAll(unseen, ''), room);
  return breakParagraphs(typesetter, clean, room).map(inSeenOrder);
}

function breakParagraphs(typesetter: Typesetter, text: string, room: Room): readonly Line[] {
  if (!text.includes('\n')) return breakParagraph(typesetter.glyphs(text, room.face), room);
  return text.split('\n').flatMap((paragraph) => breakParagraph(typesetter.glyphs(paragraph, room.face), room));
}

function breakParagraph(glyphs: Line, { size, width }: Room): readonly Line[] {
  if (widthOf(glyphs, size) <= width) return [glyphs];
  const lines: Line[] = [];
  const limit = (width * 1000) / size;
  let start = 0;
  let end = 0;
  let used = 0;
  for (let at = 0; at < glyphs.length; at++) {
    const glyph = glyphs[at] as Glyph;
    used += glyph.width;
    if (used > limit && !glyph.isSpace && at > start) {
      const cut = end > start ? end : at;
      lines.push(trimEnd(glyphs, start, cut));
      start = cut;
      used = rangeWidth(glyphs, start, at + 1);
    }
    if (glyph.isBreak) end = at + 1;
  }
  if (start < glyphs.length) lines.push(trimEnd(glyphs, start, glyphs.length));
  return lines;
}

function trimEnd(glyphs: Line, start: number, cut: number): Line {
  let end = cut;
  while (end > start && (glyphs[end - 1] as Glyph).isSpace) end--;
  return glyphs.slice(start, end);
}

function rangeWidth(glyphs: Line, start: number, end: number): number {
  let width = 0;
  for (let i = start; i < end; i++) width += (glyphs[i] as Glyph).width;
  return width;
}
