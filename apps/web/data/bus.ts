import { bootstrap } from './bootstrap.ts';
import { connectionBack, connectionLost } from './connection.ts';
import { expireAll, expireModel } from './workspace-cache.ts';

export interface BusEvent {
  readonly channel: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

type Handler = (payload: BusEvent['payload']) => void;

const handlers = new Map<string, Set<Handler>>();
let socket: WebSocket | null = null;
let watched: readonly { model: string; id: number }[] = [];
let pause = 500;
let isMissing = false;

/** Opens the bus where the server has one, and keeps it open. */
export function startBus(): void {
  if (!bootstrap().busEnabled) return;
  open();
  const expire: Handler = ({ model }) => expireSoon(String(model));
  for (const channel of ['record.created', 'record.updated', 'record.deleted']) onEvent(channel, expire);
}

export function onEvent(channel: string, handler: Handler): () => void {
  const set = handlers.get(channel) ?? new Set();
  handlers.set(channel, set);
  set.add(handler);
  return () => set.delete(handler);
}

/** Tells others what is open here, for presence. */
export function watchRecords(records: readonly { model: string; id: number }[]): void {
  watched = records;
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ watch: records }));
}

function open(): void {
  const url = new URL(`${bootstrap().wcApiBase}/bus`, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  socket = new WebSocket(url);
  socket.addEventListener('open', opened);
  socket.addEventListener('message', ({ data }) => deliver(String(data)));
  socket.addEventListener('close', ({ code }) => closed(code));
}

function opened(): void {
  pause = 500;
  connectionBack();
  if (watched.length > 0) watchRecords(watched);
  // Whatever happened while the line was down is not told again.
  if (isMissing) expireAll();
  isMissing = false;
}

function closed(code: number): void {
  socket = null;
  isMissing = true;
  if (code !== 4401 && code !== 1013 && !navigator.onLine) connectionLost();
  setTimeout(open, pause * (0.75 + Math.random() / 2));
  pause = Math.min(pause * 2, 15_000);
}

function deliver(text: string): void {
  const event = parse(text);
  if (!event) return;
  for (const handler of [...(handlers.get(event.channel) ?? [])]) handler(event.payload);
}

function parse(text: string): BusEvent | null {
  try {
    const event = JSON.parse(text) as BusEvent;
    return typeof event.channel === 'string' ? event : null;
  } catch {
    return null;
  }
}

const soon = new Set<string>();

/** A burst of changes is one refresh. */
function expireSoon(model: string): void {
  if (soon.size === 0) {
    setTimeout(() => {
      const models = [...soon];
      soon.clear();
      for (const one of models) expireModel(one);
    }, 100);
  }
  soon.add(model);
}
