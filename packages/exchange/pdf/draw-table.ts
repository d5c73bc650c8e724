import PDFDocument from 'pdfkit';
import { breakLines, type Line } from './break-lines.ts';
import { cellText, localeOf } from './cell-text.ts';
import { colours, createPageContent, type PageContent, textOperators } from './page-content.ts';
import { gap, layOutTable, margin, paperSizes, type TableLayout } from './table-layout.ts';
import type { TableSpec } from './table-spec.ts';
import { createTypesetter, type Face, type PdfFont, type Typesetter, widthOf } from './typesetter.ts';

export interface TableDrawing {
  rows(records: readonly Readonly<Record<string, unknown>>[]): void;
  end(): void;
}

/** The library's data of a page. */
interface PdfPage {
  readonly fonts: Record<string, unknown>;
  readonly xobjects: Record<string, unknown>;
  write(bytes: Uint8Array): void;
}

/** Column widths are computed from this many rows. */
const sampled = 200;

/** Draws rows as they arrive; a full page is written and freed. */
export function drawTable(spec: TableSpec, onBytes: (bytes: Uint8Array) => void, onEnd: () => void): TableDrawing {
  const doc = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    font: spec.fonts.regular,
    info: { Title: spec.title, Author: spec.author },
    lang: localeOf(spec.lang),
  });
  doc.on('data', onBytes);
  doc.on('end', onEnd);
  const typesetter = createTypesetter(doc, spec.fonts);
  const texts = spec.columns.map((column) => cellText(column, spec));
  const total = doc.ref({ Type: 'XObject', Subtype: 'Form', BBox: [-500, -20, 500, 20] });
  let pages: TablePages | null = null;

  function open(sample: readonly (readonly string[])[]): TablePages {
    const layout = layOutTable(typesetter, spec.columns, sample, spec.pageSize);
    const { width, height } = paperSizes[spec.pageSize];
    return openTablePages(spec, typesetter, layout, {
      begin: () => void doc.addPage({ size: [width, height], layout: layout.orientation, margin: 0 }),
      write(content, fonts) {
        const page: PdfPage = doc.page;
        Object.assign(page.fonts, fontRefs(fonts));
        page.xobjects[totalName] = total;
        page.write(content);
      },
    });
  }

  return {
    rows(records) {
      const shownOf = (record: Readonly<Record<string, unknown>>) => texts.map((text) => text(record));
      pages ??= open(records.slice(0, sampled).map(shownOf));
      for (const record of records) pages.row(shownOf(record));
    },
    end() {
      const count = (pages ?? open([])).close();
      const fonts = new Set<PdfFont>();
      const line = oneLine(typesetter, `${count}${spec.words.page[2]}`);
      const counted = textOperators(line, footerSize, fonts);
      Object.assign(total.data, { Resources: { Font: fontRefs(fonts) } });
      const from = spec.isRightToLeft ? -widthOf(line, footerSize) : 0;
      total.end(`${colours.muted} rg\nBT\n1 0 0 -1 ${from.toFixed(2)} 0 Tm\n${counted}ET\n`);
      doc.end();
    },
  };
}

function fontRefs(fonts: ReadonlySet<PdfFont>): Record<string, unknown> {
  return Object.fromEntries([...fonts].map((font) => [font.id, font.ref()]));
}

/** The pages of a table, each with its header and page number. */
interface TablePages {
  row(texts: readonly string[]): void;
  /** Writes the last page; returns the number of pages. */
  close(): number;
}

/** Called with every full page. */
type WritePage = (content: Buffer, fonts: ReadonlySet<PdfFont>) => void;

/** The name of the drawing with the total number of pages, which is known only at the end. */
const totalName = 'Total';
const footerSize = 7;
const footerRoom = 10;
const padding = 2.5;
const right: ReadonlySet<string> = new Set(['number', 'money']);

interface PageTarget {
  readonly begin: () => void;
  readonly write: WritePage;
}

// Over 60 lines: the functions share the page that is being written.
function openTablePages(
  spec: TableSpec,
  typesetter: Typesetter,
  layout: TableLayout,
  { begin, write }: PageTarget,
): TablePages {
  const { size, widths, page } = layout;
  const leading = size * 1.3;
  const bottom = page.height - margin - footerRoom;
  const wide = { x: margin - padding, width: page.width - 2 * margin + 2 * padding };
  const labels = spec.columns.map(({ label }) => label);
  const head = cellsOf(labels, 'bold');
  let content = createPageContent();
  let pages = 0;
  let isFresh = true;
  let y = margin;

  function cellsOf(texts: readonly string[], face: Face): readonly (readonly Line[])[] {
    return texts.map((text, at) => breakLines(typesetter, text, { size, width: widths[at] as number, face }));
  }

  function openPage(): void {
    if (pages > 0) write(content.bytes(), content.fonts);
    begin();
    content = createPageContent();
    pages++;
    y = margin;
    if (pages === 1) {
      const title = oneLine(typesetter, spec.title, 'bold');
      const x = spec.isRightToLeft ? page.width - margin - widthOf(title, 14) : margin;
      content.text(title, { x, y: y + 12, size: 14, colour: colours.text });
      y += 26;
    }
    const height = countLines(head) * leading + 2 * padding;
    content.fill({ ...wide, y, height }, colours.head);
    drawCells(content, { spec, layout, leading, y }, head, 0, Number.POSITIVE_INFINITY);
    y += height;
    drawFooter(content, spec, typesetter, { page, number: pages });
    isFresh = true;
  }

  openPage();
  return {
    row(texts) {
      const cells = cellsOf(texts, 'regular');
      const count = countLines(cells);
      if (!isFresh && y + count * leading + 2 * padding > bottom) openPage();
      for (let first = 0; first < count; ) {
        // A row longer than a page is rare, and continues on the next pages.
        if (first > 0) openPage();
        const most = Math.max(1, Math.floor((bottom - y - 2 * padding) / leading));
        drawCells(content, { spec, layout, leading, y }, cells, first, most);
        y += Math.min(count - first, most) * leading + 2 * padding;
        first += most;
      }
      isFresh = false;
      content.fill({ ...wide, y: y - 0.25, height: 0.5 }, colours.line);
    },
    close() {
      write(content.bytes(), content.fonts);
      return pages;
    },
  };
}

interface RowPlace {
  readonly spec: TableSpec;
  readonly layout: TableLayout;
  /** The line height. */
  readonly leading: number;
  readonly y: number;
}

/** The lines of a row from a given one on, as many as fit. */
function drawCells(
  content: PageContent,
  { spec, layout: { size, widths, page }, leading, y }: RowPlace,
  cells: readonly (readonly Line[])[],
  first: number,
  most: number,
): void {
  const { isRightToLeft } = spec;
  let passed = margin;
  for (let at = 0; at < cells.length; at++) {
    const lines = cells[at] as readonly Line[];
    const width = widths[at] as number;
    // The first column is aligned to the start of reading, numbers to the other edge.
    const x = isRightToLeft ? page.width - passed - width : passed;
    const isRight = right.has(spec.columns[at]?.kind ?? '') !== isRightToLeft;
    for (let line = first; line < Math.min(lines.length, first + most); line++) {
      const glyphs = lines[line] as Line;
      const from = isRight ? x + width - widthOf(glyphs, size) : x;
      content.text(glyphs, { x: from, y: y + padding + size + (line - first) * leading, size, colour: colours.text });
    }
    passed += width + gap;
  }
}

function oneLine(typesetter: Typesetter, text: string, face: Face = 'regular'): Line {
  return breakLines(typesetter, text, { size: 1, width: Number.POSITIVE_INFINITY, face })[0] ?? [];
}

function countLines(cells: readonly (readonly Line[])[]): number {
  return Math.max(1, ...cells.map((lines) => lines.length));
}

function drawFooter(
  content: PageContent,
  spec: TableSpec,
  typesetter: Typesetter,
  { page, number }: { readonly page: TableLayout['page']; readonly number: number },
): void {
  const style = { y: page.height - margin + 12, size: footerSize, colour: colours.muted };
  const [before, between] = spec.words.page;
  const counted = oneLine(typesetter, `${before}${number}${between}`);
  const printed = oneLine(typesetter, printedAt(spec));
  const [countedWidth, printedWidth] = [widthOf(counted, footerSize), widthOf(printed, footerSize)];
  const end = page.width - margin;
  content.text(counted, { ...style, x: spec.isRightToLeft ? end - countedWidth : margin });
  content.draw(totalName, spec.isRightToLeft ? end - countedWidth : margin + countedWidth, style.y);
  content.text(printed, { ...style, x: spec.isRightToLeft ? margin : end - printedWidth });
}

function printedAt({ lang, tz, printedAt: at }: TableSpec): string {
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: tz || 'UTC' } as const;
  return new Intl.DateTimeFormat(localeOf(lang), style).format(new Date(at));
}
