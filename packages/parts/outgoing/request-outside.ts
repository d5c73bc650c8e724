import { lookup } from 'node:dns/promises';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { workState } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { type Allowed, isAllowedAddress, isPublicAddress, readAllowed } from './public-address.ts';

export interface OutsideRequest {
  /** `http` or `https`, without credentials. */
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything, from the name lookup to the last byte; ten seconds by default. */
  readonly timeoutMs?: number;
  /** How much of the answer is read; 64 kB by default. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * The result of a request. `refused`: the address is not allowed; `unreachable`: no connection, or it broke; `late`: no answer in
 * time.
 * ```ts
 * export const isTaken = (result: OutsideResult) => result.kind === 'answer' && result.status < 300;
 * ```
 */
export type OutsideResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      /** The beginning of the body, as far as it was read. */
      readonly text: string;
      readonly ms: number;
    }
  | {
      readonly kind: 'failure';
      readonly reason: 'refused' | 'unreachable' | 'late';
      readonly detail: string;
      readonly ms: number;
    };

/**
 * Requests to servers elsewhere, as the configuration allows them: no address inside the own network unless `webhook_allow` names
 * it, the address that was looked at is the one that is asked, no redirect is followed, and time and size have an end. What it gives
 * outlives the unit of work: a request may take seconds and is made after it, never inside a transaction.
 * ```ts
 * export function checkReachable(env: Env, url: string) {
 *   const request = outsideRequests(env);
 *   afterCommit(env, async () => {
 *     const result = await request({ url, method: 'GET', timeoutMs: 2_000 });
 *     if (result.kind === 'answer' && result.status >= 500) throw new UserError('It answers with an error.');
 *   });
 * }
 * ```
 */
export function outsideRequests({ work }: Pick<Env, 'work'>): (request: OutsideRequest) => Promise<OutsideResult> {
  const state = workState(work);
  if (!state) throw new Error('Requests to the outside begin in a unit of work.');
  const allowed = readAllowed(state.config.webhookAllow);
  return (request) => {
    // The remote server decides how long it takes: no lock and no connection is held meanwhile.
    if (state.isOpen)
      throw new Error('A request to the outside waits for the end of the transaction: see afterCommit.');
    return requestOutside(allowed, request);
  };
}

interface Address {
  readonly address: string;
  readonly family: number;
}
export type Resolve = (host: string) => Promise<readonly Address[]>;

const usualMs = 10_000;
const usualBytes = 64 * 1024;

export async function requestOutside(
  allowed: Allowed,
  request: OutsideRequest,
  resolve: Resolve = (host) => lookup(host, { all: true }),
): Promise<OutsideResult> {
  const began = performance.now();
  const late = AbortSignal.timeout(request.timeoutMs ?? usualMs);
  const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
  const failure = (reason: 'refused' | 'unreachable' | 'late', detail: string): OutsideResult => {
    return { kind: 'failure', reason, detail, ms: Math.round(performance.now() - began) };
  };
  try {
    const url = new URL(request.url);
    const wrong = addressFault(url);
    if (wrong !== null) return failure('refused', wrong);
    const addresses = await until(signal, addressesOf(url, resolve));
    const refused = refusedAddress(allowed, url, addresses);
    if (refused !== null) return failure('refused', refused);
    const answer = await ask(url, request, addresses, signal);
    return { kind: 'answer', ...answer, ms: Math.round(performance.now() - began) };
  } catch (error) {
    return failure(late.aborted ? 'late' : 'unreachable', explain(error));
  }
}

function addressFault({ protocol, username, password }: URL): string | null {
  if (protocol !== 'http:' && protocol !== 'https:') return 'Only http and https are asked.';
  return username !== '' || password !== '' ? 'An address with a login in it is not asked.' : null;
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** None: the name is unknown. */
async function addressesOf(url: URL, resolve: Resolve): Promise<readonly Address[]> {
  const host = hostOf(url);
  const family = isIP(host);
  return family === 0 ? resolve(host).catch(() => []) : [{ address: host, family }];
}

/** A name that resolves to both internal and public addresses is rejected: which one is used would be chance. */
function refusedAddress(allowed: Allowed, url: URL, addresses: readonly Address[]): string | null {
  const host = hostOf(url).toLowerCase();
  if (addresses.length === 0) return noPublicAddress(host);
  if (allowed.hosts.has(host)) return null;
  const inside = addresses.find(({ address }) => !isPublicAddress(address) && !isAllowedAddress(allowed, address));
  if (!inside) return null;
  return isIP(host) === 0 ? noPublicAddress(host) : `${host} is not an address of the public internet.`;
}

/** The same answer for an internal name and an unknown one: callers learn nothing about internal names. */
const noPublicAddress = (host: string) => `${host} leads to no address of the public internet.`;

type Asked = Pick<Extract<OutsideResult, { kind: 'answer' }>, 'status' | 'headers' | 'text'>;

/** Connects only to the addresses that were checked: the name is not resolved again. */
async function ask(
  url: URL,
  request: OutsideRequest,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<Asked> {
  const { method = 'POST', headers = {}, body, maxBytes = usualBytes } = request;
  const pinned: LookupFunction = (_host, options, done) => {
    const [first] = addresses as [Address];
    if (options.all) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options: RequestOptions = { method, headers: { ...headers, ...length }, lookup: pinned, agent: false, signal };
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const sent = send(url, options, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
  const text = await beginningOf(message, maxBytes);
  const known = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return { status: message.statusCode ?? 0, headers: Object.fromEntries(known), text };
}

/** An answer that breaks off or does not end counts as received until then. */
async function beginningOf(message: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of message) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= maxBytes) break;
    }
  } catch {
    // Identified by its properties.
  }
  message.destroy();
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8').replaceAll('\0', '');
}

/** The system resolves names, which cannot be aborted. */
function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function explain(error: unknown): string {
  const { cause, message, code, syscall } = (error ?? {}) as Readonly<Record<string, unknown>>;
  // The system's message contains the resolved address.
  if (typeof syscall === 'string') return `${syscall} ${String(code)}`;
  const said = String(message || code || (cause instanceof Error ? cause.message : 'The connection failed.'));
  return said.slice(0, 300);
}
