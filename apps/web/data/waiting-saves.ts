import { createStore } from '../state/store.ts';
import { connection } from './connection.ts';

/** A save that did not reach the server. */
export interface WaitingSave {
  /** A later save of the same takes its place. */
  readonly key: string;
  readonly name: string;
  run(): unknown;
}

/** What is not saved yet. It is sent by itself when the server is back, in this order. */
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
