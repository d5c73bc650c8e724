import { queue, text } from '@kontor/protocol';
import { badFile } from '../import/open-table.ts';
import { tooLarge } from '../import/workbook/read-workbook.ts';
import { openThread } from '../thread/open-thread.ts';
import type { CsvPiece, PieceOf, PieceSpec, XmlPiece } from './pieces.ts';
import { type FromPieces, scanPieces, type ToPieces } from './serve-pieces.ts';

/** Below this size reading takes less time than starting a thread. */
const smallFile = 65_536;
/** Each may take hundreds of megabytes. */
const readings = queue(2);

/**
 * Reads a file of records piece by piece: the tags of one level of an XML file, or the rows of a CSV file. A large one is read in a
 * thread of its own. XML that declares types or entities is rejected, and so is a file with too many pieces.
 *
 * ```ts
 * export async function countEntries(content: Buffer): Promise<number> {
 *   let entries = 0;
 *   await readPieces(content, { kind: 'xml', level: 2, attributes: ['currency'], most: 1_000 }, () => entries++);
 *   return entries;
 * }
 * ```
 */
export async function readPieces<Spec extends PieceSpec>(
  content: Buffer,
  spec: Spec,
  take: (piece: PieceOf<Spec>) => void,
): Promise<void> {
  const takeAny = take as (piece: XmlPiece | CsvPiece) => void;
  if (content.length < smallFile) await scanPieces(content, spec, takeAny);
  else await readings.run(() => readInThread({ content, spec }, takeAny));
}

async function readInThread(asked: ToPieces, take: (piece: XmlPiece | CsvPiece) => void): Promise<void> {
  const thread = await openThread<ToPieces, FromPieces>('pieces');
  try {
    await new Promise<void>((resolve, reject) => {
      thread.onMessage((message) => {
        try {
          if ('pieces' in message) for (const piece of message.pieces) take(piece);
          else if ('done' in message) resolve();
          else if ('refused' in message) {
            reject(badFile(text(message.refused.english, message.refused.params)));
          } else reject(new Error(`The file could not be read: ${message.error}`));
        } catch (error) {
          reject(error as Error);
        }
      });
      thread.onFailure((error) =>
        reject('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? badFile(tooLarge) : error),
      );
      thread.post(asked);
    });
  } finally {
    thread.close();
  }
}
