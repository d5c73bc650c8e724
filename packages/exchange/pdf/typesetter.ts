import type { FontFiles } from './font-files.ts';
import { hasRightToLeft, type Written, writtenParts } from './right-to-left.ts';

/** A font of the document, as far as a table needs it. */
export interface PdfFont {
  readonly id: string;
  ref(): unknown;
  encode(text: string): readonly [readonly string[], readonly GlyphPosition[]];
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
}

interface GlyphPosition {
  /** How far the next one is by the font's own table, and by its neighbours. */
  readonly advanceWidth: number;
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

export interface Glyph {
  readonly font: PdfFont;
  /** As the content of a page has it. */
  readonly hex: string;
  /** Letters that are joined, each at its place: what writes them at a size. Empty: `hex` alone does. */
  readonly placed: ((size: number) => string) | null;
  /** How deep it is nested in text of the other direction; odd goes leftwards. */
  readonly level: number;
  /** In thousandths of the font's size. */
  readonly width: number;
  readonly isSpace: boolean;
  /** A line may end behind it. */
  readonly isBreak: boolean;
}

/** Finds the glyphs of texts. What a character looks like is found out once; tables have the same ones again and again. */
export interface Typesetter {
  glyphs(text: string, face: Face): readonly Glyph[];
}

export type Face = 'regular' | 'bold';

/** Han, kana, Hangul and full-width forms: lines break between any two of them. */
const ideographic = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/u;

/** Words whose look is kept; then it is found out again. */
const mostWords = 5_000;

// Over 60 lines: the functions share the fonts and the glyphs that are known.
export function createTypesetter(doc: PDFKit.PDFDocument, files: FontFiles): Typesetter {
  const fonts = new Map<string, PdfFont | null>();
  const known = { regular: new Map<string, Glyph>(), bold: new Map<string, Glyph>() };
  const words = { regular: new Map<string, Glyph>(), bold: new Map<string, Glyph>() };

  function open(path: string): PdfFont | null {
    const found = fonts.get(path);
    if (found !== undefined) return found;
    const font = openFont(doc, path);
    fonts.set(path, font);
    return font;
  }

  function fontFor(character: string, face: Face): PdfFont | undefined {
    const codePoint = character.codePointAt(0) as number;
    for (const path of [files[face], ...(face === 'bold' ? files.furtherBold : []), ...files.further]) {
      const font = open(path);
      if (font?.font.hasGlyphForCodePoint(codePoint)) return font;
    }
    return undefined;
  }

  function make(character: string, face: Face): Glyph {
    const isSpace = /\s/u.test(character);
    // What no font can write is seen to be missing.
    const shown = [isSpace ? ' ' : character, '\u25a1', '?'].find((one) => fontFor(one, face)) ?? '?';
    const font = fontFor(shown, face) ?? (open(files[face]) as PdfFont);
    const [codes, positions] = font.encode(shown);
    return {
      font,
      hex: codes.join(''),
      placed: null,
      level: 0,
      width: positions.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0),
      isSpace,
      isBreak:
        (isSpace && character !== '\u00a0' && character !== '\u202f') ||
        /[-/,;]/.test(character) ||
        ideographic.test(character),
    };
  }

  function single(character: string, face: Face): Glyph {
    const cache = known[face];
    let glyph = cache.get(character);
    if (!glyph) {
      glyph = make(character, face);
      cache.set(character, glyph);
    }
    return glyph;
  }

  /** A word whose letters join, as one glyph; null where no font has all of them. */
  function join(word: string, face: Face): Glyph | null {
    const found = words[face].get(word);
    if (found) return found;
    const font = fontFor(word, face);
    if (!font || [...word].some((letter) => !font.font.hasGlyphForCodePoint(letter.codePointAt(0) as number)))
      return null;
    const [codes, positions] = font.encode(word);
    const width = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    const placed = (size: number) => placedGlyphs(codes, positions, size);
    const glyph = { font, hex: codes.join(''), placed, level: 1, width, isSpace: false, isBreak: false };
    if (words[face].size >= mostWords) words[face].clear();
    words[face].set(word, glyph);
    return glyph;
  }

  function written({ text, level, isJoined }: Written, face: Face): readonly Glyph[] {
    const word = isJoined ? join(text, face) : null;
    return (word ? [word] : [...text].map((one) => single(one, face))).map((glyph) => ({ ...glyph, level }));
  }

  return {
    glyphs(text, face) {
      if (hasRightToLeft(text)) return writtenParts(text).flatMap((part) => written(part, face));
      const glyphs: Glyph[] = [];
      for (const character of text) glyphs.push(single(character, face));
      return glyphs;
    },
  };
}

/** In the words of PDF: each glyph at its place, marks above or below the letter that they belong to. */
function placedGlyphs(codes: readonly string[], positions: readonly GlyphPosition[], size: number): string {
  let shown = '';
  let height = 0;
  let run = '';
  const flush = (): void => {
    if (run !== '') shown += `[${run}] TJ\n`;
    run = '';
  };
  for (const [at, { advanceWidth, xAdvance, xOffset, yOffset }] of positions.entries()) {
    if (yOffset !== height) {
      flush();
      shown += `${((yOffset * size) / 1000).toFixed(2)} Ts\n`;
      height = yOffset;
    }
    const back = Math.round(xOffset - (xAdvance - advanceWidth));
    run += `${xOffset === 0 ? '' : Math.round(-xOffset)}<${codes[at]}>${back === 0 ? '' : back}`;
  }
  flush();
  return height === 0 ? shown : `${shown}0 Ts\n`;
}

/** By path: a name given to a file that is open already makes the library read it again each time. */
export function openFont(doc: PDFKit.PDFDocument, path: string): PdfFont | null {
  try {
    // What the library knows of a font is only in a field that its types leave out.
    const opened: object = doc.font(path);
    return '_font' in opened ? (opened._font as PdfFont) : null;
  } catch {
    return null;
  }
}

export function widthOf(glyphs: readonly Glyph[], size: number): number {
  let width = 0;
  for (let i = 0; i < glyphs.length; i++) width += (glyphs[i] as Glyph).width;
  return (width * size) / 1000;
}
