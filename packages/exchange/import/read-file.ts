import { setImmediate } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { KontorError, Text, text } from '@kontor/protocol';
import { badFile, decodeFile, isWorkbook, openTable, type Table } from './open-table.ts';
import { readWorkbook, type SheetTable } from './workbook/read-workbook.ts';

/** A file as text: CSV as it came, or a sheet of a workbook. Every row of it was read once. */
export interface FileTable extends SheetTable {
  /** How the letters of a CSV file were read; empty for a workbook. */
  readonly encoding: string;
  readonly headers: readonly string[];
  readonly preview: readonly (readonly string[])[];
  readonly total: number;
}

export interface ToUpload {
  readonly content: Uint8Array;
  readonly sheet: string | null;
}

export type FromUpload =
  | { readonly file: FileTable }
  | { readonly refused: Pick<Text, 'english' | 'params'> }
  | { readonly error: string };

const previewRows = 20;
const rowsInTurn = 2_000;

/** The other end of `readUpload`. */
export function serveUpload(port: MessagePort): void {
  const tell = (message: FromUpload): void => port.postMessage(message);
  port.on('message', ({ content, sheet }: ToUpload) => {
    void readFile(Buffer.from(content.buffer, content.byteOffset, content.byteLength), sheet).then(
      (file) => tell({ file }),
      (error: unknown) => {
        const words = error instanceof KontorError ? error.words : null;
        // A text arrives without its class.
        tell(words instanceof Text ? { refused: words } : { error: String((error as Error).stack) });
      },
    );
  });
}

export async function readFile(content: Buffer, sheet: string | null): Promise<FileTable> {
  const read = isWorkbook(content)
    ? { ...(await readWorkbook(content, sheet)), encoding: '' }
    : { ...decodeFile(content), sheet: '', sheets: [], pointColumns: [] };
  const table = openTable(read.csv, read.pointColumns);
  const { total, preview } = await lookThrough(table);
  if (total === 0) throw badFile(text('The file has column names and no rows.'));
  return { ...read, headers: table.headers, preview, total };
}

/** Every row is read once, so that a file with a later mistake is rejected now. Blank rows keep their place. */
async function lookThrough(
  table: Table,
): Promise<{ readonly total: number; readonly preview: readonly (readonly string[])[] }> {
  const preview: string[][] = [];
  let total = 0;
  for (const { row, cells } of table.rows()) {
    // Others are served in between where there is no thread.
    if (++total % rowsInTurn === 0) await setImmediate();
    if (row - 2 >= previewRows) continue;
    while (preview.length < row - 2) preview.push([]);
    preview.push(table.headers.map((_, index) => (cells[index] ?? '').slice(0, 500)));
  }
  return { total, preview };
}
