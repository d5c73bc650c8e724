import { type BusMessage, busCloseCodes, type RecordRef } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';
import { busy } from '../state/idle.ts';
import { connection, connectionLost } from './connection.ts';
import { request } from './request.ts';
import { needSignIn, signInNeed } from './session.ts';
import { expireAll, expireModel } from './workspace-cache.ts';

/** Events that tell of changed records. */
export const recordChannels = ['record.created', 'record.updated', 'record.deleted', 'model.changed'];

type Handler = (payload: BusMessage['payload']) => void;

const minPause = 500;
const maxPause = 15_000;
/**
 * A tab that was hidden for longer may have lost its connection without an event; without a bus it received nothing.
 */
const sleepMs = 60_000;

const handlers = new Map<string, Set<Handler>>();
const catchUpHandlers = new Set<() => void>();
let socket: WebSocket | null = null;
let watched: readonly RecordRef[] = [];
let pause = minPause;
let timer: ReturnType<typeof setTimeout> | undefined;
/**
 * Events may have been missed since the last connection. Initially true, because the page's data is older than the
 * first connection.
 */
let isBehind = true;

/** Opens the bus if the server has one, and reconnects. After a gap, everything on screen is reloaded. */
export function startBus(): void {
  connection.subscribe(() => connection.get() === 'live' && resume());
  let hiddenAt = 0;
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > sleepMs) wake();
  });
  if (!bootstrap().busEnabled) return;
  open();
  const expire: Handler = ({ model }) => expireSoon(String(model));
  for (const channel of recordChannels) onEvent(channel, expire);
  onEvent('bus.gap', catchUp);
  window.addEventListener('offline', () => {
    connectionLost();
    drop();
  });
}

/** Subscribes to a channel of the bus. Returns a function that unsubscribes. */
export function onEvent(channel: string, handler: Handler): () => void {
  const set = handlers.get(channel) ?? new Set();
  handlers.set(channel, set);
  set.add(handler);
  return () => set.delete(handler);
}

/** Calls the handler after a gap in which events may have been missed. Workspaces reload by themselves. */
export function onCatchUp(handler: () => void): () => void {
  catchUpHandlers.add(handler);
  return () => catchUpHandlers.delete(handler);
}

/** Tells other users which records are open here, for presence. */
export function watchRecords(records: readonly RecordRef[]): void {
  watched = records;
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ watch: records }));
}

function open(): void {
  clearTimeout(timer);
  const url = new URL(`${bootstrap().wcApiBase}/bus`, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  const mine = new WebSocket(url);
  socket = mine;
  let hasOpened = false;
  // What is on screen is loaded again once the connection is open.
  const done = busy();
  mine.addEventListener('open', () => {
    hasOpened = true;
    pause = minPause;
    if (watched.length > 0) watchRecords(watched);
    if (isBehind) catchUp();
    done();
  });
  mine.addEventListener('message', ({ data }) => deliver(String(data)));
  mine.addEventListener('close', ({ code }) => {
    if (socket === mine) closed(code, hasOpened);
    done();
  });
}

function closed(code: number, hadOpened: boolean): void {
  socket = null;
  isBehind = true;
  if (code === busCloseCodes.sessionEnded) return void signInAndGoOn();
  timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
  pause = Math.min(pause * 2, maxPause);
  if (!hadOpened) void explainRefusedUpgrade();
}

/** A rejected upgrade has no reason: the server may be down, or the session may have expired. */
async function explainRefusedUpgrade(): Promise<void> {
  if (connection.get() === 'lost' || signInNeed.get()) return;
  const call = { model: 'core.user', method: 'search', args: [[]], kwargs: { limit: 0 } };
  await request(bootstrap().rpcUrl, { json: call, isQuiet: true }).catch((error: { code?: string }) => {
    if (error.code === 'UNAUTHORIZED') void signInAndGoOn();
  });
}

async function signInAndGoOn(): Promise<void> {
  clearTimeout(timer);
  await needSignIn();
  reopen();
}

/** Closes a connection that may be dead. */
function drop(): void {
  const old = socket;
  socket = null;
  isBehind = true;
  clearTimeout(timer);
  old?.close();
}

function reopen(): void {
  drop();
  pause = minPause;
  open();
}

/** The tab becomes visible again after a long time. */
function wake(): void {
  if (bootstrap().busEnabled) reopen();
  else catchUp();
}

/** The server is reachable again. */
function resume(): void {
  if (!bootstrap().busEnabled || socket?.readyState === WebSocket.OPEN) catchUp();
  else if (!signInNeed.get()) reopen();
}

function catchUp(): void {
  isBehind = false;
  // `expireAll` covers the pending expiries.
  clearTimeout(expiry);
  expiring.clear();
  expireAll();
  for (const handler of [...catchUpHandlers]) handler();
}

function deliver(text: string): void {
  const event = parse(text);
  if (!event) return;
  for (const handler of [...(handlers.get(event.channel) ?? [])]) handler(event.payload);
}

function parse(text: string): BusMessage | null {
  try {
    const event = JSON.parse(text) as BusMessage;
    return typeof event.channel === 'string' ? event : null;
  } catch {
    return null;
  }
}

const expiring = new Set<string>();
const gatherMs = 50;
/** The minimum time between two refreshes of the screen. */
const spacingMs = 500;
let lastExpiry = 0;
let expiry: ReturnType<typeof setTimeout> | undefined;

/** Batches a burst of changes into one refresh. */
function expireSoon(model: string): void {
  if (expiring.size === 0) {
    const wait = Math.max(gatherMs, lastExpiry + spacingMs - performance.now());
    expiry = setTimeout(() => {
      const models = [...expiring];
      expiring.clear();
      lastExpiry = performance.now();
      expireModel(...models);
    }, wait);
  }
  expiring.add(model);
}
