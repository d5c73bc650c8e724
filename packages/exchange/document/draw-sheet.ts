import PDFDocument from 'pdfkit';
import { encode } from 'uqr';
import { localeOf } from '../pdf/cell-text.ts';
import { hasRightToLeft } from '../pdf/right-to-left.ts';
import { openFont, type PdfFont } from '../pdf/typesetter.ts';
import {
  type CarriedFile,
  type Colour,
  type Place,
  type PlacedStyle,
  pageMargin,
  type SheetCommand,
  type SheetSpec,
  sheetColours,
  type TableColumn,
  type TextStyle,
  tableGap,
} from './sheet-spec.ts';
import { createTurnedText } from './turned-text.ts';

const footerHeight = 30;
const usualSize = 9.5;
const cellPadding = 5;
/** The library breaks a word that is longer than its line letter by letter, each time from its beginning. */
const longWord = /\S{100}(?=\S)/g;

/** The sheets of a document while they are drawn. */
export interface SheetDrawing {
  draw(command: SheetCommand): void;
  end(footer: string): Promise<Buffer>;
}

/** Draws the sheets of a document. Each page stays open, because its footer has the number of all pages. */
export function drawSheet({ title, author, lang, day, isMirrored, fonts, carries, page }: SheetSpec): SheetDrawing {
  const { regular, bold, found, further, furtherBold } = fonts;
  const doc = new PDFDocument({
    size: 'A4',
    margin: pageMargin,
    bufferPages: true,
    info: { Title: title, Author: author, CreationDate: new Date(day), ModDate: new Date(day) },
    lang: localeOf(lang),
    font: regular,
    ...(carries && { pdfVersion: '1.7', subset: 'PDF/A-3b' }),
  });
  if (carries) carryFile(doc, carries);
  const has = glyphsOf(doc);
  const fontFor = (text: string, isBold: boolean) =>
    chooseFont(text, [isBold ? bold : regular, ...found, ...(isBold ? furtherBold : []), ...further], has);
  const turned = createTurnedText(doc, { regular, bold, furtherBold, further: [...found, ...further] });
  const texts = textsOn(doc, { fontFor, turned, isMirrored });
  return sheetOn(doc, { texts, isMirrored, page });
}

interface Texts {
  write(text: string, x: number, y: number, style: TextStyle): void;
  heightOf(text: string, style: TextStyle): number;
}

type FontFor = (text: string, isBold: boolean) => string;

interface TextSetting {
  readonly fontFor: FontFor;
  readonly turned: ReturnType<typeof createTurnedText>;
  readonly isMirrored: boolean;
}

function textsOn(doc: PDFKit.PDFDocument, { fontFor, turned, isMirrored }: TextSetting): Texts {
  const pageWidth = doc.page.width;
  const isTurned = (text: string): boolean => isMirrored || hasRightToLeft(text);
  const asTurned = ({ size = usualSize, bold = false, colour = 'text', align = 'left', width }: TextStyle) => ({
    size,
    face: bold ? ('bold' as const) : ('regular' as const),
    colour: sheetColours[colour],
    isAtEnd: (align === 'right') !== isMirrored,
    width: width ?? null,
  });
  const set = (text: string, { size = usualSize, bold = false, colour = 'text' }: TextStyle) =>
    // By path: with a file name, the library would read an open font again each time.
    doc.font(fontFor(text, bold)).fontSize(size).fillColor(sheetColours[colour]);
  const broken = (text: string): string => text.replaceAll(longWord, '$&\n');
  return {
    write(given, x, y, style) {
      const text = broken(given);
      if (!isTurned(text)) return void set(text, style).text(text, x, y, options(style));
      turned.write(text, isMirrored ? pageWidth - x - (style.width ?? 0) : x, y, asTurned(style));
    },
    heightOf(given, style) {
      const text = broken(given);
      if (isTurned(text)) return turned.heightOf(text, asTurned(style));
      return set(text, style).heightOfString(text, options(style));
    },
  };
}

function options({ width, align = 'left' }: TextStyle): PDFKit.Mixins.TextOptions {
  return { align, lineGap: 1.5, ...(width === undefined ? { lineBreak: false } : { width }) };
}

interface SheetSetting {
  readonly texts: Texts;
  readonly isMirrored: boolean;
  readonly page: SheetSpec['page'];
}

// Over 60 lines: one case for each command, which share the height on the page.
function sheetOn(doc: PDFKit.PDFDocument, { texts, isMirrored, page }: SheetSetting): SheetDrawing {
  const [left, right] = [pageMargin, doc.page.width - pageMargin];
  const width = right - left;
  const bottom = doc.page.height - pageMargin - footerHeight;
  let y = pageMargin;
  let columns: readonly TableColumn[] = [];
  let beside: { readonly from: number; lowest: number } | null = null;

  /** True if a page was started. Columns that stand beside each other stay on their page. */
  function makeRoom(height: number): boolean {
    if (y + height <= bottom || beside) return false;
    doc.addPage();
    y = pageMargin;
    return true;
  }

  function write(text: string, { x = left, ...style }: PlacedStyle): void {
    const placed = { width: right - x, ...style };
    const height = texts.heightOf(text, placed);
    makeRoom(height);
    texts.write(text, x, y, placed);
    y += height;
  }

  function rule(colour: Colour): void {
    doc.moveTo(left, y).lineTo(right, y).lineWidth(0.7).strokeColor(sheetColours[colour]).stroke();
  }

  function cells(given: readonly string[], style: TextStyle): void {
    let x = left;
    for (const [index, column] of columns.entries()) {
      const placed = { ...style, width: column.width, align: column.align ?? 'left' } as const;
      texts.write(given[index] ?? '', x, y + cellPadding, placed);
      x += column.width + tableGap;
    }
  }

  function head(): void {
    const labels = columns.map((column) => column.label);
    cells(labels, { bold: true, colour: 'muted', size: 8.5 });
    y += 12 + 2 * cellPadding;
    rule('accent');
  }

  function row(given: readonly string[]): void {
    const height = texts.heightOf(given[0] ?? '', { width: columns[0]?.width ?? width }) + 2 * cellPadding;
    if (makeRoom(height)) head();
    cells(given, {});
    y += height;
  }

  const edgeOf = ({ x, width: wide }: Place): number => (isMirrored ? doc.page.width - x - wide : x);
  return {
    draw(command) {
      switch (command.draw) {
        case 'text': {
          const { x = left, ...style } = command.style;
          return texts.write(command.text, x, y, style);
        }
        case 'write':
          return write(command.text, command.style);
        case 'rule':
          return rule(command.colour);
        case 'image': {
          const { place } = command;
          const isAtEnd = (place.align === 'right') !== isMirrored;
          return drawImage(doc, command.content, { x: edgeOf(place), y: place.y ?? y, place, isAtEnd });
        }
        case 'qrCode':
          return drawCode(doc, command.content, {
            ...{ x: edgeOf(command.place), y: command.place.y ?? y, width: command.place.width },
          });
        case 'down':
          y = Math.max(y + command.height, command.until);
          return;
        case 'room':
          makeRoom(command.height);
          return;
        case 'head':
          columns = command.columns;
          return head();
        case 'row':
          return row(command.cells);
        case 'columns':
          beside = { from: y, lowest: y };
          return;
        case 'next':
        case 'columnsEnd':
          if (!beside) return;
          beside.lowest = Math.max(beside.lowest, y);
          y = command.draw === 'next' ? beside.from : beside.lowest;
          if (command.draw === 'columnsEnd') beside = null;
      }
    },
    end(footer) {
      const { start, count } = doc.bufferedPageRange();
      const style = { size: 8, colour: 'muted' } as const;
      for (let at = 0; at < count; at++) {
        doc.switchToPage(start + at);
        // Below the margin the library would start a page itself.
        doc.page.margins.bottom = 0;
        y = bottom + 24;
        rule('line');
        texts.write(footer, left, y + 6, style);
        const numbered = `${page[0]}${at + 1}${page[1]}${count}${page[2]}`;
        texts.write(numbered, left, y + 6, { ...style, width, align: 'right' });
      }
      return bytesOf(doc);
    },
  };
}

interface ImageAt {
  readonly x: number;
  readonly y: number;
  readonly place: Place;
  readonly isAtEnd: boolean;
}

function drawImage(doc: PDFKit.PDFDocument, base64: string, { x, y, place, isAtEnd }: ImageAt): void {
  try {
    const fit: [number, number] = [place.width, place.height];
    doc.image(Buffer.from(base64, 'base64'), x, y, { fit, ...(isAtEnd && { align: 'right' }) });
  } catch {
    return;
  }
}

function drawCode(
  doc: PDFKit.PDFDocument,
  text: string,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): void {
  const { size, data } = encode(text, { ecc: 'M', border: 0 });
  const step = width / size;
  for (const [row, cells] of data.entries()) {
    for (const [column, isDark] of cells.entries()) {
      if (isDark) doc.rect(x + column * step, y + row * step, step, step);
    }
  }
  doc.fillColor(sheetColours.text).fill();
}

/** Metadata repeats title and author, which the library writes into the XML as they are. */
function carryFile(
  doc: PDFKit.PDFDocument,
  { content, name, mimetype, description, relationship, metadata }: CarriedFile,
) {
  const file = Buffer.from(content);
  doc.file(file, { name, type: mimetype, description, relationship } as PDFKit.Mixins.PDFAttachmentOptions);
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
