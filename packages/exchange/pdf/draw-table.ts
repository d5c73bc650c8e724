import PDFDocument from 'pdfkit';
import { cellText, localeOf } from './cell-text.ts';
import { ink, shown } from './page-content.ts';
import { layOut, sheets } from './table-layout.ts';
import { footerSize, oneLine, openTablePages, type TablePages, totalName } from './table-pages.ts';
import type { TableSpec } from './table-spec.ts';
import { createTypesetter, type PdfFont } from './typesetter.ts';

export interface TableDrawing {
  rows(records: readonly Readonly<Record<string, unknown>>[]): void;
  end(): void;
}

/** What the library keeps of a page. */
interface PdfPage {
  readonly fonts: Record<string, unknown>;
  readonly xobjects: Record<string, unknown>;
  write(bytes: Uint8Array): void;
}

/** Rows that column widths follow. */
const sampled = 200;

/** Draws rows as they come; a page that is full is written and forgotten. */
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
  const total = doc.ref({ Type: 'XObject', Subtype: 'Form', BBox: [0, -20, 500, 20] });
  let pages: TablePages | null = null;

  function open(sample: readonly (readonly string[])[]): TablePages {
    const layout = layOut(typesetter, spec.columns, sample, spec.pageSize);
    const { width, height } = sheets[spec.pageSize];
    return openTablePages(spec, typesetter, layout, {
      begin: () => void doc.addPage({ size: [width, height], layout: layout.orientation, margin: 0 }),
      write(content, fonts) {
        const page = doc.page as unknown as PdfPage;
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
      const counted = shown(oneLine(typesetter, `${count}${spec.words.page[2]}`), footerSize, fonts);
      Object.assign(total.data, { Resources: { Font: fontRefs(fonts) } });
      total.end(`${ink.muted} rg\nBT\n1 0 0 -1 0 0 Tm\n${counted}ET\n`);
      doc.end();
    },
  };
}

function fontRefs(fonts: ReadonlySet<PdfFont>): Record<string, unknown> {
  return Object.fromEntries([...fonts].map((font) => [font.id, font.ref()]));
}
