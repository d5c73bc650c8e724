import { createStore } from '../state/store.ts';
import { connection } from './connection.ts';

/** A save that did not reach the server. */
export interface WaitingSave {
  /** A later save with the same key replaces it. */
  readonly key: string;
  readonly name: string;
  run(): unknown;
}

/** Unsaved changes. They are sent automatically, in this order, when the server is back. */
export const waitingSaves = createStore<readonly WaitingSave[]>([]);

let isListening = false;

export function saveWhenBack(save: WaitingSave): void {
  waitingSaves.set((now) => [...now.filter(({ key }) => key !== save.key), save]);
  if (isListening) return;
  isListening = true;
  window.addEventListener('beforeunload', warn);
  const stop = connection.subscribe(() => {
    if (connection.get() !== 'live') return;
    stop();
    window.removeEventListener('beforeunload', warn);
    isListening = false;
    void sendAll();
  });
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

async function sendAll(): Promise<void> {
  const all = waitingSaves.get();
  waitingSaves.set([]);
  for (const save of all) await save.run();
}
