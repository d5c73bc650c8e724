import { breakLines, type Line } from '../pdf/break-lines.ts';
import type { FontFiles } from '../pdf/font-files.ts';
import { textOperators } from '../pdf/page-content.ts';
import { createTypesetter, type Face, type PdfFont, widthOf } from '../pdf/typesetter.ts';

interface TurnedStyle {
  readonly size: number;
  readonly face: Face;
  /** `#rrggbb` */
  readonly colour: string;
  /** Right-aligned in its box. */
  readonly isAtEnd: boolean;
  /** Null: one line, from `x` to the right, or to the left if aligned to the end. */
  readonly width: number | null;
}

/**
 * Writes right-to-left or mixed text on the pages of a document: the library joins the letters of a word but does not reorder
 * words.
 */
export interface TurnedText {
  write(text: string, x: number, y: number, style: TurnedStyle): void;
  heightOf(text: string, style: TurnedStyle): number;
}

/** With the library's line spacing of the default font, so that both kinds have the same height. */
const lineHeight = 1.362;
const ascent = 1.069;
const lineGap = 1.5;

export function createTurnedText(doc: PDFKit.PDFDocument, files: FontFiles): TurnedText {
  const typesetter = createTypesetter(doc, files);
  const linesOf = (text: string, { size, face, width }: TurnedStyle): readonly Line[] =>
    breakLines(typesetter, text, { size, face, width: width ?? Number.POSITIVE_INFINITY });

  return {
    heightOf: (text, style) => linesOf(text, style).length * (style.size * lineHeight + lineGap),
    write(text, x, y, style) {
      const { size, isAtEnd, width } = style;
      for (const [at, line] of linesOf(text, style).entries()) {
        const left = isAtEnd ? x + (width ?? 0) - widthOf(line, size) : x;
        writeLine(doc, line, left, y + ascent * size + at * (size * lineHeight + lineGap), style);
      }
    },
  };
}

/** Page data of the library that its types omit. */
interface PdfPage {
  readonly fonts: Record<string, unknown>;
}

function writeLine(doc: PDFKit.PDFDocument, line: Line, x: number, y: number, { size, colour }: TurnedStyle): void {
  const fonts = new Set<PdfFont>();
  const shown = textOperators(line, size, fonts);
  const page: PdfPage = doc.page;
  for (const font of fonts) page.fonts[font.id] = font.ref();
  doc.save().fillColor(colour);
  const content: { addContent(data: string): unknown } = doc as never;
  content.addContent(`BT\n1 0 0 -1 ${x.toFixed(2)} ${y.toFixed(2)} Tm\n${shown}ET`);
  doc.restore();
}
