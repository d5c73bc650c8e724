import { existsSync } from 'node:fs';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { TaskName } from './serve-task.ts';

/** Where a task runs: messages to and from it, and its end. */
export interface Thread<To, From> {
  post(message: To): void;
  onMessage(listener: (message: From) => void): void;
  /** The thread ended by itself, for example because it ran out of memory. */
  onFailure(listener: (error: Error) => void): void;
  close(): void;
  /** Whether it keeps the process from ending. */
  hold(isHeld: boolean): void;
}

/** The build puts the code of the thread beside the server's. */
const built = new URL('./thread.js', import.meta.url);
/** What a task creates for a cell is garbage right after it: a small young generation keeps memory low. */
const limits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };

/**
 * Starts work on a file or a document in a thread of its own, so that other requests do not wait for it; in this thread where the
 * server runs from its sources.
 */
export async function openThread<To, From>(task: TaskName): Promise<Thread<To, From>> {
  if (!existsSync(built)) return openHere(task);
  // Such work has a lower priority than answering requests; only Linux has priorities of threads.
  const code = `const { parentPort } = require('node:worker_threads');
    if (process.platform === 'linux') require('node:os').setPriority(0, 10);
    import(${JSON.stringify(built.href)}).then(({ serveTask }) => serveTask(${JSON.stringify(task)}, parentPort));`;
  // Flags of this process may define how text is interpreted as code.
  const worker = new Worker(code, { eval: true, execArgv: [], resourceLimits: limits });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onFailure: (listener) => {
      worker.on('error', listener);
      worker.on('exit', () => listener(new Error(`The thread for ${task} has ended.`)));
    },
    close: () => void worker.terminate(),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
  };
}

async function openHere<To, From>(task: TaskName): Promise<Thread<To, From>> {
  const { serveTask } = await import('./serve-task.ts');
  const { port1, port2 } = new MessageChannel();
  await serveTask(task, port2);
  return {
    post: (message) => port1.postMessage(message),
    onMessage: (listener) => void port1.on('message', listener),
    onFailure: () => {},
    close: () => port1.close(),
    hold(isHeld) {
      for (const port of [port1, port2]) isHeld ? port.ref() : port.unref();
    },
  };
}
