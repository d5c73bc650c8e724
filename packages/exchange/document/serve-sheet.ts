import type { MessagePort } from 'node:worker_threads';
import { drawSheet, type SheetDrawing } from './draw-sheet.ts';
import type { FromSheet, ToSheet } from './sheet-spec.ts';

/** Draws one document after the other from the commands that arrive through the port. */
export function serveSheet(port: MessagePort): void {
  let drawing: SheetDrawing | null = null;

  async function take(message: ToSheet): Promise<void> {
    if (message.kind === 'begin') drawing = drawSheet(message.spec);
    else if (message.kind === 'draw') for (const command of message.commands) drawing?.draw(command);
    else {
      const made = await drawing?.end(message.footer);
      drawing = null;
      const bytes = new Uint8Array(made ?? []);
      return port.postMessage({ kind: 'bytes', bytes } satisfies FromSheet, [bytes.buffer]);
    }
    port.postMessage({ kind: 'done' } satisfies FromSheet);
  }

  port.on('message', (message: ToSheet) => {
    take(message).catch((error: unknown) => {
      drawing = null;
      const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
      port.postMessage({ kind: 'failed', message: said } satisfies FromSheet);
    });
  });
}
