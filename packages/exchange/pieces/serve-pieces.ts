import type { MessagePort } from 'node:worker_threads';
import { KontorError, Text } from '@kontor/protocol';
import { readCsvPieces } from './csv-pieces.ts';
import type { CsvPiece, PieceSpec, XmlPiece } from './pieces.ts';
import { readXmlPieces } from './xml-pieces.ts';

export interface ToPieces {
  readonly content: Uint8Array;
  readonly spec: PieceSpec;
}

export type FromPieces =
  | { readonly pieces: readonly (XmlPiece | CsvPiece)[] }
  | { readonly done: true }
  | { readonly refused: Pick<Text, 'english' | 'params'> }
  | { readonly error: string };

/** A message at a time takes the other thread a few milliseconds, so that it serves others in between. */
const inMessage = 200;
const tagsInMessage = 4_000;

/** The other end of `readPieces`. */
export function servePieces(port: MessagePort): void {
  const tell = (message: FromPieces): void => port.postMessage(message);
  port.on('message', ({ content, spec }: ToPieces) => {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    let pieces: (XmlPiece | CsvPiece)[] = [];
    let size = 0;
    const flush = (): void => {
      if (pieces.length > 0) tell({ pieces });
      pieces = [];
      size = 0;
    };
    const take = (piece: XmlPiece | CsvPiece, tags = 0): void => {
      if (size + tags > tagsInMessage) flush();
      pieces.push(piece);
      size += tags;
      if (pieces.length === inMessage) flush();
    };
    void scanPieces(bytes, spec, take).then(
      () => {
        flush();
        tell({ done: true });
      },
      (error: unknown) => {
        const words = error instanceof KontorError ? error.words : null;
        // A text arrives without its class.
        tell(words instanceof Text ? { refused: words } : { error: String((error as Error).stack) });
      },
    );
  });
}

export async function scanPieces(
  content: Buffer,
  spec: PieceSpec,
  take: (piece: XmlPiece | CsvPiece, tags?: number) => void,
): Promise<void> {
  if (spec.kind === 'xml') await readXmlPieces(content, spec, take);
  else readCsvPieces(content, spec, take);
}
