import { fontFiles } from '@kontor/addon';
import PDFDocument from 'pdfkit';
import { chooseFont, type HasGlyph } from './choose-font.ts';

export const margin = 50;
export const colours = { text: '#1b1b22', muted: '#6b6b76', line: '#d8d8de', accent: '#1f6f5c' } as const;

export interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  readonly colour?: string;
  readonly align?: 'left' | 'right';
  readonly width?: number;
}

/** A sheet of A4 paper that is written from the top down and begins a new page when it is full. */
export interface Sheet {
  readonly width: number;
  readonly left: number;
  readonly bottom: number;
  y: number;
  readonly doc: PDFKit.PDFDocument;
  text(text: string, x: number, style?: TextStyle): void;
  heightOf(text: string, style?: TextStyle): number;
  rule(colour?: string): void;
  newPage(): void;
}

interface SheetInfo {
  readonly title: string;
  readonly author: string;
  /** For what the usual font cannot write. */
  readonly fonts: readonly string[];
}

export function openSheet(info: SheetInfo): Sheet {
  const { regular, bold } = fontFiles();
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    info: { Title: info.title, Author: info.author },
    lang: 'en',
    font: regular,
  });
  const has = glyphsOf(doc);
  const choose = (text: string, { size = 9.5, bold: isBold = false, colour = colours.text }: TextStyle) =>
    doc
      // By path: a name given to a file that is open already makes the library read it again each time.
      .font(chooseFont(text, [isBold ? bold : regular, ...info.fonts], has))
      .fontSize(size)
      .fillColor(colour);
  const sheet: Sheet = {
    doc,
    left: margin,
    width: doc.page.width - 2 * margin,
    bottom: doc.page.height - margin - 30,
    y: margin,
    text(text, x, style = {}) {
      choose(text, style).text(text, x, sheet.y, options(style));
    },
    heightOf(text, style = {}) {
      return choose(text, style).heightOfString(text, options(style));
    },
    rule(colour = colours.line) {
      const right = sheet.left + sheet.width;
      doc.moveTo(sheet.left, sheet.y).lineTo(right, sheet.y).lineWidth(0.7).strokeColor(colour).stroke();
    },
    newPage() {
      doc.addPage();
      sheet.y = margin;
    },
  };
  return sheet;
}

/** Opens each font once; one that cannot be read has nothing. Only those that write something go into the file. */
function glyphsOf(doc: PDFKit.PDFDocument): HasGlyph {
  const open = new Map<string, Glyphs | null>();
  return (path, codePoint) => {
    if (!open.has(path)) open.set(path, glyphsIn(doc, path));
    return open.get(path)?.hasGlyphForCodePoint(codePoint) ?? false;
  };
}

interface Glyphs {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

function glyphsIn(doc: PDFKit.PDFDocument, path: string): Glyphs | null {
  try {
    // What the library knows of a font, it tells only here.
    return (doc.font(path) as unknown as { readonly _font: { readonly font: Glyphs } })._font.font;
  } catch {
    return null;
  }
}

function options({ width, align = 'left' }: TextStyle): PDFKit.Mixins.TextOptions {
  return { align, lineGap: 1.5, ...(width === undefined ? { lineBreak: false } : { width }) };
}

/** Ends the document and gives its bytes. */
export function closeSheet({ doc }: Sheet): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => resolve(Buffer.concat(parts)));
    doc.on('error', reject);
    doc.end();
  });
}
