import type { FontFiles } from './font-files.ts';
import { hasRightToLeft, type Written, writtenParts } from './right-to-left.ts';

/** The subset of a font that a table needs. */
export interface PdfFont {
  readonly id: string;
  ref(): unknown;
  encode(text: string): readonly [readonly string[], readonly GlyphPosition[]];
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
}

interface GlyphPosition {
  /** The advance from the font's table, and with kerning. */
  readonly advanceWidth: number;
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

export interface Glyph {
  readonly font: PdfFont;
  /** As written in the page content. */
  readonly hex: string;
  /** Joined letters with their positions: the operators that write them at a size. Empty: `hex` is enough. */
  readonly placed: ((size: number) => string) | null;
  /** The nesting level in text of the other direction; odd levels run leftwards. */
  readonly level: number;
  /** In thousandths of the font's size. */
  readonly width: number;
  readonly isSpace: boolean;
  /** A line can break after it. */
  readonly isBreak: boolean;
}

/** Finds the glyphs of texts. Results are cached, because tables repeat the same characters. */
export interface Typesetter {
  glyphs(text: string, face: Face): readonly Glyph[];
}

export type Face = 'regular' | 'bold';

/** Han, kana, Hangul and full-width forms: lines break between any two of them. */
const ideographic = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/u;

/** The number of cached words. */
const mostWords = 5_000;

// Over 60 lines: the functions share the fonts and the cached glyphs.
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
    // A character that no font covers is visibly missing.
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

  /** A word with joined letters, as one glyph; null if no font covers all of them. */
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

/** As PDF operators: each glyph at its position, marks above or below their letter. */
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

/** By path: with a file name, the library would read an open font again each time. */
export function openFont(doc: PDFKit.PDFDocument, path: string): PdfFont | null {
  try {
    // The font's data is only in a field that the library's types omit.
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
