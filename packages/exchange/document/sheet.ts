import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { directionOf, wordsIn } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { dateIn, text, UserError } from '@kontor/protocol';
import { fontFiles } from '../pdf/font-files.ts';
import { drawInThread } from './draw-in-thread.ts';
import {
  type CarriedFile,
  type Colour,
  type Place,
  type PlacedStyle,
  pageMargin,
  pageWidth,
  type SheetCommand,
  type SheetSpec,
  type TableColumn,
  type TextStyle,
} from './sheet-spec.ts';

/**
 * A4 sheets that are filled from the top down. Lengths are points, 72 to the inch. For right-to-left languages the whole sheet is
 * mirrored: left means right. What is drawn is recorded, and a thread of its own draws it when the sheet is closed; so a sheet does
 * not know the height that a text will have.
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
  /** Writes from `x`, and what follows begins at the same height. */
  text(text: string, x: number, style?: TextStyle): void;
  /** Writes from the left edge, or from `x`, and continues below, on the next page if necessary. */
  write(text: string, style?: PlacedStyle): void;
  /** Draws each from the same height; what follows begins below the longest. */
  beside(...columns: readonly (() => void)[]): void;
  /** Leaves this space, and more until this distance from the top of the page. */
  down(height: number, until?: number): void;
  /** A line across the sheet. */
  rule(colour?: Colour): void;
  /** A picture in base64. Formats that cannot be drawn (WebP, GIF) leave the area empty. */
  image(base64: string, place: Place): void;
  /** A QR code, which scanners read from about 60 points. */
  qrCode(text: string, place: Place): void;
  /** Starts a new page if less space than this is left. */
  makeRoom(height: number): void;
  /** The head of a table, which is repeated on every page, and its rows: see `drawTable`. */
  head(columns: readonly TableColumn[]): void;
  row(cells: readonly string[]): void;
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

/** A character that no text contains, to find where the numbers go. */
const mark = '\ue000';

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
  env: Pick<Env, 'registry' | 'now'> & { sudo(): unknown },
  { title, author, lang: asked, fontsParameter, carries }: SheetInfo,
): Promise<Sheet> {
  const lang = asked ?? 'en_US';
  const { say } = wordsIn(env, lang, 'base');
  const found = fontsParameter === undefined ? [] : await foundFonts(env.sudo() as Env, fontsParameter);
  const [before = '', between = '', after = ''] = say(
    text('Page {page} of {pages}', { page: mark, pages: mark }),
  ).split(mark);
  return recordSheet({
    ...{ title, author, lang, day: dateIn('UTC', env.now) },
    isMirrored: directionOf(lang) === 'rtl',
    fonts: { ...fontFiles(), found },
    carries: carries ?? null,
    page: [before, between, after],
  });
}

/** The maximum length of one text, and of all texts of a document: some two hundred pages. */
const longestText = 20_000;
const mostPrinted = 1_000_000;
/** What each command counts besides its text. */
const costOfCommand = 10;

function recordSheet(spec: SheetSpec): Sheet {
  const commands: SheetCommand[] = [];
  let printed = 0;
  const record = (command: SheetCommand, length = 0): void => {
    printed += length + costOfCommand;
    if (printed > mostPrinted) throw new UserError('This document is too long to print.');
    commands.push(command);
  };
  const bounded = (given: string): string => (given.length > longestText ? `${given.slice(0, longestText)}…` : given);
  const sheet: Sheet = {
    left: pageMargin,
    right: pageWidth - pageMargin,
    width: pageWidth - 2 * pageMargin,
    text: (given, x, style = {}) =>
      record({ draw: 'text', text: bounded(given), style: { ...style, x } }, given.length),
    write: (given, style = {}) => record({ draw: 'write', text: bounded(given), style }, given.length),
    beside(...columns) {
      record({ draw: 'columns' });
      for (const draw of columns) {
        draw();
        record({ draw: 'next' });
      }
      record({ draw: 'columnsEnd' });
    },
    down: (height, until = 0) => record({ draw: 'down', height, until }),
    rule: (colour = 'line') => record({ draw: 'rule', colour }),
    image: (content, place) => record({ draw: 'image', content, place }),
    qrCode: (content, place) => record({ draw: 'qrCode', content, place }, content.length),
    makeRoom: (height) => record({ draw: 'room', height }),
    head: (columns) => record({ draw: 'head', columns }),
    row: (cells) =>
      record(
        { draw: 'row', cells: cells.map(bounded) },
        cells.reduce((sum, cell) => sum + cell.length, 0),
      ),
    close: (footer) => drawInThread(spec, commands, footer),
  };
  return sheet;
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
