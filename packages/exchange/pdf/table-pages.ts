import { breakLines, type Line } from './break-lines.ts';
import { localeOf } from './cell-text.ts';
import { createPageContent, ink, type PageContent } from './page-content.ts';
import { gap, margin, type TableLayout } from './table-layout.ts';
import type { TableSpec } from './table-spec.ts';
import { type Face, type PdfFont, type Typesetter, widthOf } from './typesetter.ts';

/** Pages of a table from the first on, each with its head and its number. */
export interface TablePages {
  row(texts: readonly string[]): void;
  /** Writes the last page; says how many there are. */
  close(): number;
}

/** What a full page is given to. */
export type WritePage = (content: Buffer, fonts: ReadonlySet<PdfFont>) => void;

/** The name under which each page shows how many there are, which is known at the end. */
export const totalName = 'Total';
export const footerSize = 7;
const footerRoom = 10;
const padding = 2.5;
const right: ReadonlySet<string> = new Set(['number', 'money']);

export function openTablePages(
  spec: TableSpec,
  typesetter: Typesetter,
  layout: TableLayout,
  { begin, write }: { readonly begin: () => void; readonly write: WritePage },
): TablePages {
  const { columns } = spec;
  const { size, widths, page } = layout;
  const leading = size * 1.3;
  const bottom = page.height - margin - footerRoom;
  const wide = { x: margin - padding, width: page.width - 2 * margin + 2 * padding };
  const head = cellsOf(
    columns.map(({ label }) => label),
    'bold',
  );
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
      content.text(oneLine(typesetter, spec.title, 'bold'), { x: margin, y: y + 12, size: 14, colour: ink.text });
      y += 26;
    }
    const height = countLines(head) * leading + 2 * padding;
    content.fill({ ...wide, y, height }, ink.head);
    drawCells(head, 0, Number.POSITIVE_INFINITY);
    y += height;
    drawFooter(content, spec, typesetter, { page, number: pages });
    isFresh = true;
  }

  /** Lines of a row from one on, as many as there is room for. */
  function drawCells(cells: readonly (readonly Line[])[], first: number, most: number): void {
    let x = margin;
    for (let at = 0; at < cells.length; at++) {
      const lines = cells[at] as readonly Line[];
      const width = widths[at] as number;
      const isRight = right.has(columns[at]?.kind ?? '');
      for (let line = first; line < Math.min(lines.length, first + most); line++) {
        const glyphs = lines[line] as Line;
        const from = isRight ? x + width - widthOf(glyphs, size) : x;
        content.text(glyphs, { x: from, y: y + padding + size + (line - first) * leading, size, colour: ink.text });
      }
      x += width + gap;
    }
  }

  openPage();
  return {
    row(texts) {
      const cells = cellsOf(texts, 'regular');
      const count = countLines(cells);
      if (!isFresh && y + count * leading + 2 * padding > bottom) openPage();
      for (let first = 0; first < count; ) {
        // A row that is longer than a page is rare, and goes on over the next ones.
        if (first > 0) openPage();
        const most = Math.max(1, Math.floor((bottom - y - 2 * padding) / leading));
        drawCells(cells, first, most);
        y += Math.min(count - first, most) * leading + 2 * padding;
        first += most;
      }
      isFresh = false;
      content.fill({ ...wide, y: y - 0.25, height: 0.5 }, ink.line);
    },
    close() {
      write(content.bytes(), content.fonts);
      return pages;
    },
  };
}

export function oneLine(typesetter: Typesetter, text: string, face: Face = 'regular'): Line {
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
  const style = { y: page.height - margin + 12, size: footerSize, colour: ink.muted };
  const [before, between] = spec.words.page;
  const counted = oneLine(typesetter, `${before}${number}${between}`);
  content.text(counted, { ...style, x: margin });
  content.draw(totalName, margin + widthOf(counted, footerSize), style.y);
  const printed = oneLine(typesetter, printedAt(spec));
  content.text(printed, { ...style, x: page.width - margin - widthOf(printed, footerSize) });
}

function printedAt({ lang, tz, printedAt: at }: TableSpec): string {
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: tz || 'UTC' } as const;
  return new Intl.DateTimeFormat(localeOf(lang), style).format(new Date(at));
}
