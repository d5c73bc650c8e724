import type { FontFiles } from './font-files.ts';

/** A font of the document, as far as a table needs it. */
export interface PdfFont {
  readonly id: string;
  ref(): unknown;
  encode(text: string): readonly [readonly string[], readonly { readonly advanceWidth: number }[]];
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
}

export interface Glyph {
  readonly font: PdfFont;
  /** As the content of a page has it. */
  readonly hex: string;
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

export function createTypesetter(doc: PDFKit.PDFDocument, files: FontFiles): Typesetter {
  const fonts = new Map<string, PdfFont | null>();
  const known = { regular: new Map<string, Glyph>(), bold: new Map<string, Glyph>() };

  function open(path: string): PdfFont | null {
    const found = fonts.get(path);
    if (found !== undefined) return found;
    const font = openFont(doc, path);
    fonts.set(path, font);
    return font;
  }

  function fontFor(character: string, face: Face): PdfFont | undefined {
    const codePoint = character.codePointAt(0) as number;
    for (const path of [files[face], ...files.further]) {
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
      width: positions.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0),
      isSpace,
      isBreak:
        (isSpace && character !== '\u00a0' && character !== '\u202f') ||
        /[-/,;]/.test(character) ||
        ideographic.test(character),
    };
  }

  return {
    glyphs(text, face) {
      const cache = known[face];
      const glyphs: Glyph[] = [];
      for (const character of text) {
        let glyph = cache.get(character);
        if (!glyph) {
          glyph = make(character, face);
          cache.set(character, glyph);
        }
        glyphs.push(glyph);
      }
      return glyphs;
    },
  };
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
