import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { directionOf, wordsIn } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { text, UserError } from '@kontor/protocol';
import { encode } from 'uqr';
import { localeOf } from '../pdf/cell-text.ts';
import { fontFiles } from '../pdf/font-files.ts';
import { hasRightToLeft } from '../pdf/right-to-left.ts';
import { openFont, type PdfFont } from '../pdf/typesetter.ts';
import { createTurnedText, type TurnedText } from './turned-text.ts';

const margin = 50;
const footerHeight = 30;
const usualSize = 9.5;
const colours = { text: '#1b1b22', muted: '#6b6b76', line: '#d8d8de', accent: '#1f6f5c' } as const;
export type Colour = keyof typeof colours;

export interface TextStyle {
  /** In points; 9.5 by default. */
  readonly size?: number;
  readonly bold?: boolean;
  readonly colour?: Colour;
  readonly align?: 'left' | 'right';
  /** Longer text wraps. */
  readonly width?: number;
}

/** The area of a picture, which is scaled to fit. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly align?: 'left' | 'right';
}

/**
 * A4 sheets that are filled from the top down. Lengths are points, 72 to the inch. For right-to-left languages the whole sheet is
 * mirrored: left means right.
 * ```ts
 * export function drawHead(sheet: Sheet, title: string) {
 *   sheet.write(title, { size: 17, bold: true });
 *   sheet.rule();
 * }
 * ```
 */
export interface Sheet {
  readonly left: number;
  readonly right: number;
  readonly width: number;
  /** Where the next text begins. */
  y: number;
  /** Writes at `y`, which does not change. */
  text(text: string, x: number, style?: TextStyle): void;
  heightOf(text: string, style?: TextStyle): number;
  /** Writes from the left edge and continues below, on the next page if necessary. */
  write(text: string, style?: TextStyle): void;
  /** A line across the sheet. */
  rule(colour?: Colour): void;
  /** A picture in base64. Formats that cannot be drawn (WebP, GIF) leave the area empty. */
  image(base64: string, place: Place): void;
  /** A QR code, which scanners read from about 60 points. */
  qrCode(text: string, place: Place): void;
  /** Starts a new page if less space than this is left; true if it did. */
  makeRoom(height: number): boolean;
  /** Ends the document with a footer and a page number on every page, and returns its bytes. */
  close(footer: string): Promise<Buffer>;
}

interface SheetInfo {
  readonly title: string;
  readonly author: string;
  /** The reader's language; English if unknown. */
  readonly lang: string | null;
  /** The system parameter with folders of additional fonts, separated by commas. */
  readonly fontsParameter?: string;
  /** A file inside the document, which is then a PDF/A-3: the data of an invoice. */
  readonly carries?: CarriedFile;
}

export interface CarriedFile {
  readonly name: string;
  readonly mimetype: string;
  readonly description: string;
  readonly content: Buffer;
  /** What the file is to the pages: the same content in another form, or data behind them. */
  readonly relationship: 'Alternative' | 'Data';
  /** Further descriptions for the XMP metadata, as RDF. */
  readonly metadata: string;
}

/**
 * Starts a document to print. Text that the default font does not cover uses the first font that does: those in the configured
 * folders, then the shipped fonts for Arabic, Hebrew, Chinese, Japanese and Korean.
 * ```ts
 * export async function printCard(env: Env, reader: string) {
 *   const sheet = await openSheet(env, { title: 'Library card', author: 'Library', lang: 'en_US' });
 *   sheet.write('Library card', { size: 17, bold: true });
 *   sheet.write(reader);
 *   return sheet.close('Library');
 * }
 * ```
 */
export async function openSheet(
  env: Pick<Env, 'registry'> & { sudo(): unknown },
  { title, author, lang: asked, fontsParameter, carries }: SheetInfo,
): Promise<Sheet> {
  const lang = asked ?? 'en_US';
  const { say } = wordsIn(env, lang, 'base');
  const { regular, bold, further, furtherBold } = fontFiles();
  const found = fontsParameter === undefined ? [] : await foundFonts(env.sudo() as Env, fontsParameter);
  // Loaded on first use: most processes never print.
  const { default: PDFDocument } = await import('pdfkit');
  const info = { Title: title, Author: author };
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    info,
    lang: localeOf(lang),
    font: regular,
    ...(carries && { pdfVersion: '1.7', subset: 'PDF/A-3b' }),
  });
  if (carries) carryFile(doc, carries);
  const has = glyphsOf(doc);
  const fontFor = (text: string, isBold: boolean) =>
    chooseFont(text, [isBold ? bold : regular, ...found, ...(isBold ? furtherBold : []), ...further], has);
  const turned = createTurnedText(doc, { regular, bold, furtherBold, further: [...found, ...further] });
  const isMirrored = directionOf(lang) === 'rtl';
  return sheetOn(doc, { fontFor, turned, isMirrored }, (page, pages) =>
    say(text('Page {page} of {pages}', { page, pages })),
  );
}

/** Metadata repeats title and author, which the library writes into the XML as they are. */
function carryFile(
  doc: PDFKit.PDFDocument,
  { content, name, mimetype, description, relationship, metadata }: CarriedFile,
) {
  doc.file(content, { name, type: mimetype, description, relationship } as PDFKit.Mixins.PDFAttachmentOptions);
  const { Title, Author, Creator, Producer, CreationDate = new Date() } = doc.info;
  const escaped = (value = '') => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const day = `${CreationDate.toISOString().slice(0, 19)}Z`;
  const writer = doc as unknown as { _addInfo(): void; appendXML(xml: string): void };
  writer._addInfo = () =>
    writer.appendXML(
      `<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"><xmp:CreateDate>${day}</xmp:CreateDate>` +
        `<xmp:CreatorTool>${escaped(Creator)}</xmp:CreatorTool></rdf:Description>` +
        '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt>' +
        `<rdf:li xml:lang="x-default">${escaped(Title)}</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq>` +
        `<rdf:li>${escaped(Author)}</rdf:li></rdf:Seq></dc:creator></rdf:Description>` +
        `<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><pdf:Producer>${escaped(Producer)}</pdf:Producer></rdf:Description>${metadata}`,
    );
}

/** The maximum length of one text, and of all texts of a document: some two hundred pages. */
const longestText = 20_000;
const mostPrinted = 2_000_000;
/** The library breaks a word that is longer than its line letter by letter, each time from its beginning. */
const longWord = /\S{100}(?=\S)/g;

type FontFor = (text: string, isBold: boolean) => string;
type PageWords = (page: number, pages: number) => string;

interface Setting {
  readonly fontFor: FontFor;
  readonly turned: TurnedText;
  readonly isMirrored: boolean;
}

// Over 60 lines: a list of the methods of a sheet that share the document and its direction.
function sheetOn(doc: PDFKit.PDFDocument, { fontFor, turned, isMirrored }: Setting, pageWords: PageWords): Sheet {
  const bottom = doc.page.height - margin - footerHeight;
  const pageWidth = doc.page.width;
  const isTurned = (text: string): boolean => isMirrored || hasRightToLeft(text);
  const asTurned = ({ size = usualSize, bold = false, colour = 'text', align = 'left', width }: TextStyle) => ({
    size,
    face: bold ? ('bold' as const) : ('regular' as const),
    colour: colours[colour],
    isAtEnd: (align === 'right') !== isMirrored,
    width: width ?? null,
  });
  let printed = 0;
  /** The printed part of a text; the texts of a document have a total limit as well. */
  const bounded = (given: string): string => {
    printed += given.length;
    if (printed > mostPrinted) throw new UserError('This document is too long to print.');
    const shown = given.length > longestText ? `${given.slice(0, longestText)}…` : given;
    return shown.replaceAll(longWord, '$&\n');
  };
  const set = (text: string, { size = usualSize, bold = false, colour = 'text' }: TextStyle) =>
    // By path: with a file name, the library would read an open font again each time.
    doc.font(fontFor(text, bold)).fontSize(size).fillColor(colours[colour]);
  const sheet: Sheet = {
    left: margin,
    right: doc.page.width - margin,
    width: doc.page.width - 2 * margin,
    y: margin,
    text(given, x, style = {}) {
      const text = bounded(given);
      if (!isTurned(text)) return void set(text, style).text(text, x, sheet.y, options(style));
      const edge = isMirrored ? pageWidth - x - (style.width ?? 0) : x;
      turned.write(text, edge, sheet.y, asTurned(style));
    },
    heightOf(given, style = {}) {
      const text = bounded(given);
      if (isTurned(text)) return turned.heightOf(text, asTurned(style));
      return set(text, style).heightOfString(text, options(style));
    },
    write(text, style = {}) {
      const placed = { width: sheet.width, ...style };
      const height = sheet.heightOf(text, placed);
      sheet.makeRoom(height);
      sheet.text(text, sheet.left, placed);
      sheet.y += height;
    },
    rule(colour = 'line') {
      const { left, right, y } = sheet;
      doc.moveTo(left, y).lineTo(right, y).lineWidth(0.7).strokeColor(colours[colour]).stroke();
    },
    image(base64, { x, y, width, height, align = 'left' }) {
      const edge = isMirrored ? pageWidth - x - width : x;
      const isAtEnd = (align === 'right') !== isMirrored;
      try {
        doc.image(Buffer.from(base64, 'base64'), edge, y, {
          fit: [width, height],
          ...(isAtEnd && { align: 'right' }),
        });
      } catch {
        return;
      }
    },
    qrCode(text, { x, y, width }) {
      const { size, data } = encode(text, { ecc: 'M', border: 0 });
      const edge = isMirrored ? pageWidth - x - width : x;
      const step = width / size;
      for (const [row, cells] of data.entries()) {
        for (const [column, isDark] of cells.entries()) {
          if (isDark) doc.rect(edge + column * step, y + row * step, step, step);
        }
      }
      doc.fillColor(colours.text).fill();
    },
    makeRoom(height) {
      if (sheet.y + height <= bottom) return false;
      doc.addPage();
      sheet.y = margin;
      return true;
    },
    close(footer) {
      const { start, count } = doc.bufferedPageRange();
      for (let page = 0; page < count; page++) {
        doc.switchToPage(start + page);
        // Below the margin the library would start a page itself.
        doc.page.margins.bottom = 0;
        sheet.y = bottom + 24;
        drawFooter(sheet, footer, pageWords(page + 1, count));
      }
      return bytesOf(doc);
    },
  };
  return sheet;
}

function options({ width, align = 'left' }: TextStyle): PDFKit.Mixins.TextOptions {
  return { align, lineGap: 1.5, ...(width === undefined ? { lineBreak: false } : { width }) };
}

function drawFooter(sheet: Sheet, left: string, right: string): void {
  const style = { size: 8, colour: 'muted' } as const;
  sheet.rule();
  sheet.y += 6;
  sheet.text(left, sheet.left, style);
  sheet.text(right, sheet.left, { ...style, width: sheet.width, align: 'right' });
}

function bytesOf(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => resolve(Buffer.concat(parts)));
    doc.on('error', reject);
    doc.end();
  });
}

/** Whether a font has a glyph for a character. */
type HasGlyph = (font: string, codePoint: number) => boolean;

/**
 * The first font that covers all of a text, otherwise the one that covers most of it: a line uses one font, so that
 * joined scripts are shaped.
 */
export function chooseFont(text: string, fonts: readonly [string, ...string[]], has: HasGlyph): string {
  const wanted = [...new Set(text)].map((letter) => letter.codePointAt(0) ?? 0).filter((point) => point > 32);
  let best = fonts[0];
  let fewest = Number.POSITIVE_INFINITY;
  for (const font of fonts) {
    const missing = wanted.filter((point) => !has(font, point)).length;
    if (missing === 0) return font;
    if (missing < fewest) [best, fewest] = [font, missing];
  }
  return best;
}

/** Opens each font once; an unreadable one covers nothing. Only fonts in use are embedded. */
function glyphsOf(doc: PDFKit.PDFDocument): HasGlyph {
  const open = new Map<string, PdfFont | null>();
  return (path, codePoint) => {
    if (!open.has(path)) open.set(path, openFont(doc, path));
    return open.get(path)?.font.hasGlyphForCodePoint(codePoint) ?? false;
  };
}

const mostFiles = 500;

/**
 * Font files, sorted by name, from the folders that a system parameter names. A missing folder has none; characters
 * that no font covers are empty boxes.
 */
async function foundFonts(env: Env, parameter: string): Promise<readonly string[]> {
  const parameters = env.model('sys.config.parameter');
  const [row] = await parameters.searchRead([['name', '=', parameter]], ['value'], { limit: 1 });
  const folders = String(row?.value ?? '')
    .split(',')
    .map((folder) => folder.trim());
  const found = await Promise.all(folders.filter((folder) => folder !== '').map(fontsIn));
  return found.flat().slice(0, mostFiles);
}

async function fontsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  return names
    .filter((name) => /\.(ttf|otf|woff2?)$/i.test(name))
    .sort()
    .map((name) => join(folder, name));
}
