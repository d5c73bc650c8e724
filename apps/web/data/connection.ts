import { createStore } from '../state/store.ts';

/** The connection state. `lost`: a request did not reach the server; `live`: connected. */
export const connection = createStore<'live' | 'lost'>('live');

export function connectionLost(): void {
  if (connection.get() === 'lost') return;
  connection.set('lost');
  void probe(1000);
}

export function connectionBack(): void {
  if (connection.get() === 'live') return;
  connection.set('live');
}

/** Polls the server's health endpoint until it answers, with growing pauses up to ten seconds. */
async function probe(pause: number): Promise<void> {
  const controller = new AbortController();
  const wake = () => controller.abort();
  window.addEventListener('online', wake, { once: true });
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, pause);
    controller.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  window.removeEventListener('online', wake);
  if (connection.get() === 'live') return;
  const isUp = await fetch('/api/health', { cache: 'no-store' }).then(
    (answer) => answer.ok,
    () => false,
  );
  if (isUp) connectionBack();
  else void probe(Math.min(pause * 2, 10_000));
}
