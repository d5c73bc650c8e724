import { KontorError } from '@kontor/protocol';
import { openThread, type Thread } from '../thread/open-thread.ts';
import type { FromSheet, SheetCommand, SheetSpec, ToSheet } from './sheet-spec.ts';

/** So many documents of a process are drawn at once, each in a thread; so many wait, and further ones are refused. */
const mostThreads = 2;
const mostWaiting = 100;
/** Copied to the thread at once, in less than a millisecond. */
const commandsOfMessage = 200;
/** A thread that has loaded the fonts is kept for the next document. */
const idleSeconds = 20;

interface SheetThread {
  /** Resolves when the thread has done what it was given. */
  ask(message: ToSheet): Promise<Uint8Array | null>;
  close(): void;
  hasEnded(): boolean;
  /** Keeps the process from ending, or does not. */
  hold(isHeld: boolean): void;
}

const idle: { readonly thread: SheetThread; readonly timer: NodeJS.Timeout }[] = [];
const waiting: (() => void)[] = [];
let drawn = 0;

/** Draws a document in a thread of its own. */
export async function drawInThread(
  spec: SheetSpec,
  commands: readonly SheetCommand[],
  footer: string,
): Promise<Buffer> {
  await takePlace();
  try {
    const thread = takeIdle() ?? (await openSheetThread());
    thread.hold(true);
    try {
      await thread.ask({ kind: 'begin', spec });
      for (let at = 0; at < commands.length; at += commandsOfMessage) {
        await thread.ask({ kind: 'draw', commands: commands.slice(at, at + commandsOfMessage) });
      }
      const bytes = await thread.ask({ kind: 'end', footer });
      keepIdle(thread);
      return asBuffer(bytes ?? new Uint8Array());
    } catch (error) {
      thread.close();
      throw error;
    }
  } finally {
    givePlace();
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

async function takePlace(): Promise<void> {
  if (drawn < mostThreads) {
    drawn++;
    return;
  }
  if (waiting.length >= mostWaiting) throw new KontorError('UNAVAILABLE', undefined, { retry_after: 5 });
  // The place is handed over by the document that is finished.
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function givePlace(): void {
  const next = waiting.shift();
  if (next) next();
  else drawn--;
}

function takeIdle(): SheetThread | undefined {
  for (let kept = idle.pop(); kept; kept = idle.pop()) {
    clearTimeout(kept.timer);
    if (!kept.thread.hasEnded()) return kept.thread;
  }
  return undefined;
}

function keepIdle(thread: SheetThread): void {
  thread.hold(false);
  const timer = setTimeout(() => {
    idle.splice(
      idle.findIndex((one) => one.thread === thread),
      1,
    );
    thread.close();
  }, idleSeconds * 1000);
  timer.unref();
  idle.push({ thread, timer });
}

async function openSheetThread(): Promise<SheetThread> {
  const thread: Thread<ToSheet, FromSheet> = await openThread<ToSheet, FromSheet>('sheet');
  let asked: { resolve(bytes: Uint8Array | null): void; reject(error: Error): void } | null = null;
  let failure: Error | null = null;
  thread.onFailure((error) => {
    failure ??= error;
    asked?.reject(failure);
  });
  thread.onMessage((message) => {
    const { resolve, reject } = asked ?? { resolve: () => {}, reject: () => {} };
    asked = null;
    if (message.kind === 'failed') reject(new Error(`The document could not be drawn: ${message.message}`));
    else resolve(message.kind === 'bytes' ? message.bytes : null);
  });
  return {
    ask(message) {
      if (failure) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        asked = { resolve, reject };
        thread.post(message);
      });
    },
    close: () => thread.close(),
    hasEnded: () => failure !== null,
    hold: (isHeld) => thread.hold(isHeld),
  };
}
