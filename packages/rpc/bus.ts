import type { Transport } from './transport.ts';

/** One event, such as `record.updated` with `{model, id}`. */
export interface BusMessage {
  readonly channel: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The subset of WebSocket that is needed: the browser's, Node's (22 or newer), or that of the package `ws`. */
export interface Socket {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  send(text: string): void;
  close(): void;
}
export type SocketClass = new (url: string, options?: { readonly headers: Readonly<Record<string, string>> }) => Socket;

export interface BusOptions {
  /** For runtimes without their own, such as Node 20. */
  readonly WebSocket?: unknown;
  readonly signal?: AbortSignal;
  /** Called when the connection is open, the first time and after each break: events in between were missed. */
  onOpen?(): void;
}

const longestPauseMs = 30_000;

/** Events for a session, as they happen. A broken connection is reopened; use the feed for events in between. */
export async function* listen(transport: Transport, options: BusOptions): AsyncGenerator<BusMessage, void, undefined> {
  const { signal, onOpen } = options;
  for (let failures = 0; !signal?.aborted; ) {
    const queue = openQueue(transport, options);
    try {
      for await (const message of queue) {
        if (message === 'open') {
          failures = 0;
          onOpen?.();
        } else yield message;
      }
    } finally {
      queue.end();
    }
    if (signal?.aborted) return;
    failures++;
    await transport.pause(Math.random() * Math.min(longestPauseMs, 500 * 2 ** failures), signal).catch(() => {});
  }
}

/** The messages of a socket, in order, until it closes. */
function openQueue(transport: Transport, { WebSocket: given, signal }: BusOptions) {
  const socketClass = (given ?? (globalThis as { WebSocket?: unknown }).WebSocket) as SocketClass | undefined;
  if (!socketClass) throw new TypeError('There is no WebSocket here: give one, such as that of the package "ws".');
  const url = `${transport.address.replace(/^http/, 'ws')}/web/wc/bus`;
  const inBrowser = typeof (globalThis as { document?: unknown }).document === 'object';
  const socket = inBrowser ? new socketClass(url) : new socketClass(url, { headers: transport.sessionHeaders() });
  const waiting: (BusMessage | 'open')[] = [];
  let isOver = false;
  let wake = () => {};
  const over = () => {
    isOver = true;
    wake();
  };
  const add = (item: BusMessage | 'open') => {
    waiting.push(item);
    wake();
  };
  const end = () => {
    over();
    socket.close();
  };
  socket.addEventListener('open', () => add('open'));
  socket.addEventListener('message', ({ data }) => add(JSON.parse(String(data)) as BusMessage));
  socket.addEventListener('close', over);
  socket.addEventListener('error', over);
  signal?.addEventListener('abort', end, { once: true });
  return {
    end() {
      signal?.removeEventListener('abort', end);
      end();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (isOver) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
