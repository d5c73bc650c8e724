import { openThread } from '../thread/open-thread.ts';
import type { FromDrawing, TableSpec, ToDrawing } from './table-spec.ts';

export interface Drawing {
  /** The text of a JSON array of records. Resolves when they are drawn and their bytes are taken. */
  rows(json: string): Promise<void>;
  /** Resolves when the last byte is taken. */
  end(): Promise<void>;
  stop(): void;
}

/** Draws a table in a thread of its own. */
export async function startDrawing(spec: TableSpec, onBytes: (bytes: Uint8Array) => Promise<void>): Promise<Drawing> {
  const thread = await openThread<ToDrawing, FromDrawing>('drawing');
  let waiting: { resolve(): void; reject(error: unknown): void } | null = null;
  let taken: Promise<void> = Promise.resolve();
  let failure: Error | null = null;

  function fail(error: Error): void {
    failure ??= error;
    waiting?.reject(failure);
    waiting = null;
  }

  function stop(): void {
    fail(new Error('The drawing was stopped.'));
    thread.close();
  }

  thread.onFailure(fail);
  thread.onMessage((message) => {
    if (message.kind === 'bytes') {
      taken = taken.then(() => onBytes(message.bytes));
      taken.catch(() => {});
    } else if (message.kind === 'done') {
      waiting?.resolve();
      waiting = null;
    } else fail(new Error(`The table could not be drawn: ${message.message}`));
  });

  async function ask(message: ToDrawing): Promise<void> {
    if (failure) throw failure;
    await new Promise<void>((resolve, reject) => {
      waiting = { resolve, reject };
      thread.post(message);
    });
    await taken;
  }

  await ask({ kind: 'begin', spec });
  return { rows: (json) => ask({ kind: 'rows', json }), end: () => ask({ kind: 'end' }), stop };
}
