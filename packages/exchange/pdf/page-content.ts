import type { Line } from './break-lines.ts';
import type { PdfFont } from './typesetter.ts';

export const colours = {
  text: '0.11 0.11 0.13',
  muted: '0.42 0.42 0.46',
  line: '0.85 0.85 0.87',
  head: '0.95 0.95 0.96',
};

/**
 * The content of a page in PDF operators. Texts are written here rather than by the library, which would lay out every cell again;
 * y goes down from the top, as in the library.
 */
export interface PageContent {
  text(
    line: Line,
    place: { readonly x: number; readonly y: number; readonly size: number; readonly colour: string },
  ): void;
  fill(
    area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
    colour: string,
  ): void;
  draw(name: string, x: number, y: number): void;
  /** Fonts in use. */
  readonly fonts: ReadonlySet<PdfFont>;
  bytes(): Buffer;
}

export function createPageContent(): PageContent {
  const fonts = new Set<PdfFont>();
  let content = '';
  return {
    fonts,
    text(line, { x, y, size, colour }) {
      if (line.length > 0)
        content += `${colour} rg\nBT\n1 0 0 -1 ${point(x)} ${point(y)} Tm\n${textOperators(line, size, fonts)}ET\n`;
    },
    fill({ x, y, width, height }, colour) {
      content += `${colour} rg\n${point(x)} ${point(y)} ${point(width)} ${point(height)} re f\n`;
    },
    draw(name, x, y) {
      content += `q 1 0 0 1 ${point(x)} ${point(y)} cm /${name} Do Q\n`;
    },
    bytes: () => Buffer.from(content, 'latin1'),
  };
}

/** Runs of one font each. */
export function textOperators(line: Line, size: number, fonts: Set<PdfFont>): string {
  let text = '';
  let font: PdfFont | null = null;
  let run = '';
  const flush = (): void => {
    if (run !== '') text += `/${font?.id} ${size} Tf <${run}> Tj\n`;
    run = '';
  };
  for (let i = 0; i < line.length; i++) {
    const glyph = line[i] as Line[number];
    if (glyph.font !== font) {
      flush();
      font = glyph.font;
      fonts.add(font);
    }
    if (glyph.placed === null) run += glyph.hex;
    else {
      flush();
      text += `/${font.id} ${size} Tf ${glyph.placed(size)}`;
    }
  }
  flush();
  return text;
}

function point(value: number): string {
  return String(Math.round(value * 100) / 100);
}
