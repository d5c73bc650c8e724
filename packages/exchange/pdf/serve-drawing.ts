import type { MessagePort } from 'node:worker_threads';
import { drawTable, type TableDrawing } from './draw-table.ts';
import type { FromDrawing, ToDrawing } from './table-spec.ts';

/** Small pieces are sent together. */
const piece = 65_536;

/** Draws what arrives through the port and sends back the bytes of the document. */
export function serveDrawing(port: MessagePort): void {
  const tell = (message: FromDrawing): void => port.postMessage(message);
  let drawing: TableDrawing | null = null;
  let held: Uint8Array[] = [];
  let size = 0;

  function keep(bytes: Uint8Array): void {
    held.push(bytes);
    size += bytes.length;
    if (size >= piece) flush();
  }

  function flush(): void {
    if (size > 0) tell({ kind: 'bytes', bytes: Buffer.concat(held) });
    held = [];
    size = 0;
  }

  function finish(): void {
    flush();
    tell({ kind: 'done' });
    port.close();
  }

  function take(message: ToDrawing): void {
    if (message.kind === 'begin') drawing = drawTable(message.spec, keep, finish);
    else if (message.kind === 'rows') drawing?.rows(JSON.parse(message.json));
    else drawing?.end();
    // The end is reported after the last byte.
    if (message.kind !== 'end') tell({ kind: 'done' });
  }

  port.on('message', (message: ToDrawing) => {
    try {
      take(message);
    } catch (error) {
      tell({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}
