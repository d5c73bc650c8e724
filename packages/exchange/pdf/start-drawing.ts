import { existsSync } from 'node:fs';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { FromDrawing, TableSpec, ToDrawing } from './table-spec.ts';

export interface Drawing {
  /** The text of a JSON array of records. Resolves when they are drawn and their bytes are taken. */
  rows(json: string): Promise<void>;
  /** Resolves when the last byte is taken. */
  end(): Promise<void>;
  stop(): void;
}

/** The build puts the code of the thread beside the server's. */
const built = new URL('./drawing.js', import.meta.url);
/** Objects created for a cell are garbage right after it: a small young generation keeps memory low. */
const limits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };

/**
 * Draws a table in a thread of its own, so that other requests do not wait for it; in this thread where the server runs from
 * its sources.
 */
export async function startDrawing(spec: TableSpec, onBytes: (bytes: Uint8Array) => Promise<void>): Promise<Drawing> {
  const { port, close, onFailure } = existsSync(built) ? openThread() : await openHere();
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
    close();
  }

  onFailure(fail);
  port.on('message', (message: FromDrawing) => {
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
      port.postMessage(message);
    });
    await taken;
  }

  await ask({ kind: 'begin', spec });
  return { rows: (json) => ask({ kind: 'rows', json }), end: () => ask({ kind: 'end' }), stop };
}

interface Place {
  readonly port: {
    on(event: 'message', listener: (message: FromDrawing) => void): unknown;
    postMessage(message: ToDrawing): void;
  };
  readonly onFailure: (listener: (error: Error) => void) => void;
  readonly close: () => void;
}

function openThread(): Place {
  // Drawing has a lower priority than answering requests; only Linux has priorities of threads.
  const code = `const { parentPort } = require('node:worker_threads');
    if (process.platform === 'linux') require('node:os').setPriority(0, 10);
    import(${JSON.stringify(built.href)}).then(({ serveDrawing }) => serveDrawing(parentPort));`;
  // Flags of this process may define how text is interpreted as code.
  const options = { eval: true, execArgv: [], resourceLimits: limits };
  const worker = new Worker(code, options);
  return {
    port: worker,
    onFailure: (listener) => {
      worker.on('error', listener);
      worker.on('exit', () => listener(new Error('The thread that draws has ended.')));
    },
    close: () => void worker.terminate(),
  };
}

async function openHere(): Promise<Place> {
  const { serveDrawing } = await import('./serve-drawing.ts');
  const { port1, port2 } = new MessageChannel();
  serveDrawing(port2);
  return { port: port1, onFailure: () => {}, close: () => port1.close() };
}
