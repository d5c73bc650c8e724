import type { PageSize, TableColumn } from './table-spec.ts';
import { type Typesetter, widthOf } from './typesetter.ts';

export interface TableLayout {
  readonly orientation: 'portrait' | 'landscape';
  readonly size: number;
  readonly widths: readonly number[];
  readonly page: { readonly width: number; readonly height: number };
}

/** In points, portrait. */
export const paperSizes: Readonly<Record<PageSize, { readonly width: number; readonly height: number }>> = {
  a4: { width: 595.28, height: 841.89 },
  legal: { width: 612, height: 1008 },
  letter: { width: 612, height: 792 },
};

export const margin = 36;
export const gap = 10;
const sizes = [8.5, 7.5, 6.5, 5.5] as const;
const widest = 240;
/** The share of texts in a column that should fit without wrapping. */
const share = 0.95;

/**
 * Widths by the content of the first rows. A table that is too wide for portrait is landscape; if it is still too wide, the font is
 * smaller and lines wrap.
 */
export function layOutTable(
  typesetter: Typesetter,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  pageSize: PageSize,
): TableLayout {
  const sheet = paperSizes[pageSize];
  const lying = { width: sheet.height, height: sheet.width };
  const upright = sheet.width - 2 * margin;
  for (const size of sizes) {
    const wanted = columns.map((column, at) =>
      wantedWidth(
        typesetter,
        column.label,
        rows.map((row) => row[at] ?? ''),
        size,
      ),
    );
    const natural = sum(wanted) + gap * (columns.length - 1);
    const isUpright = size === sizes[0] && natural <= upright;
    const page = isUpright ? sheet : lying;
    const room = page.width - 2 * margin - gap * (columns.length - 1);
    const isLast = size === sizes.at(-1);
    if (sum(wanted) > room * 1.3 && !isLast) continue;
    return { orientation: isUpright ? 'portrait' : 'landscape', size, widths: fit(wanted, room), page };
  }
  throw new Error('There is always a smallest size.');
}

function wantedWidth(typesetter: Typesetter, label: string, texts: readonly string[], size: number): number {
  const widths = texts
    .map((text) => widthOf(typesetter.glyphs(text.slice(0, 200), 'regular'), size))
    .sort((a, b) => a - b);
  const usual = widths[Math.min(widths.length - 1, Math.floor(widths.length * share))] ?? 0;
  const head = widthOf(typesetter.glyphs(label, 'bold'), size);
  // One extra point, so that rounding does not wrap a line.
  return Math.min(widest, Math.max(usual, Math.min(head, 90), 18)) + 1;
}

/** Spare width is shared equally; missing width is taken from the widest. */
function fit(wanted: readonly number[], room: number): readonly number[] {
  const total = sum(wanted);
  if (total <= room) return wanted.map((width) => (width * room) / total);
  let most = Math.max(...wanted);
  let least = 0;
  for (let i = 0; i < 40; i++) {
    const middle = (most + least) / 2;
    if (sum(wanted.map((width) => Math.min(width, middle))) > room) most = middle;
    else least = middle;
  }
  return wanted.map((width) => Math.min(width, least));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
