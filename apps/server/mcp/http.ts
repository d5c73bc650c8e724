import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { lingerOnClose } from '../http/lingering-close.ts';
import { openEndpoint } from './endpoint.ts';
import { answerMessage, unreadable, versions } from './protocol.ts';
import { openSession, type Session } from './session.ts';

export interface HttpOptions {
  /** The Kontor server. */
  readonly url: string;
  readonly serverVersion: string;
  /** Additional accepted host names, and accepted page origins. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

/** The session of one caller. The key is sent with each request and not stored. */
interface Known {
  readonly session: Session;
  /** The hash of the key that started it. */
  readonly owner: string;
  usedAt: number;
}

const maxBytes = 4_000_000;
/** What a client may still send after its message was rejected. */
const droppedAfterRefusal = { ms: 30_000, bytes: 64_000_000 };
const maxSessions = 1_000;
const idleMs = 60 * 60_000;

/** The streamable HTTP transport, without streams: every answer is one JSON message. Each caller sends their own key. */
export function createMcpServer(options: HttpOptions): Server {
  const sessions = new Map<string, Known>();
  const server = createServer((request, response) => {
    serve(options, sessions, request, response).catch(() => {
      if (!response.headersSent) send(response, 500, { error: 'Something went wrong in kontor mcp.' });
      else response.destroy();
    });
  });
  lingerOnClose(server, droppedAfterRefusal);
  return server;
}

async function serve(
  options: HttpOptions,
  sessions: Map<string, Known>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = refusalOf(options, request);
  if (refusal) return send(response, ...refusal);
  const [, key] = /^Bearer +(sk_[0-9a-f]{48})$/i.exec(request.headers.authorization ?? '') ?? [];
  if (key === undefined) {
    response.setHeader('www-authenticate', 'Bearer');
    return send(response, 401, { error: 'Send the key of an agent as Authorization: Bearer sk_….' });
  }
  const owner = createHash('sha256').update(key).digest('hex');
  const id = headerOf(request, 'mcp-session-id');
  const known = id === undefined ? undefined : sessions.get(id);
  if (id !== undefined && (known?.owner !== owner || isOld(known))) {
    return send(response, 404, { error: 'There is no such session. Initialize again.' });
  }
  if (request.method === 'DELETE') {
    if (id !== undefined) sessions.delete(id);
    return send(response, 204, null);
  }
  const message = await readMessage(request);
  if (message === tooLarge) {
    response.setHeader('connection', 'close');
    return send(response, 413, { error: 'The message is too large.' });
  }
  if (message === undefined) return send(response, 400, unreadable());
  const isBeginning = (message as { method?: unknown } | null)?.method === 'initialize';
  if (isBeginning) response.setHeader('mcp-session-id', begin(sessions, owner));
  if (known) known.usedAt = Date.now();
  const began = sessions.get(String(response.getHeader('mcp-session-id') ?? ''));
  const session = (known ?? began)?.session ?? openSession();
  const endpoint = openEndpoint(options.url, key);
  const answer = await answerMessage({ session, endpoint, serverVersion: options.serverVersion }, message);
  send(response, answer ? 200 : 202, answer);
}

/** A page of another site, or a host name that resolves to this machine, is not an agent. */
function refusalOf({ hosts, origins }: HttpOptions, request: IncomingMessage): [number, object] | null {
  const host = nameIn(`http://${request.headers.host ?? ''}`);
  if (host === null || !(isLoopback(host) || hosts.includes(host))) return [403, { error: 'This host is not served.' }];
  const { origin } = request.headers;
  if (origin !== undefined && !origins.includes(origin)) {
    const from = nameIn(origin);
    if (from === null || !isLoopback(from)) return [403, { error: 'Pages of this origin may not ask.' }];
  }
  if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp') return [404, { error: 'Ask /mcp.' }];
  if (request.method !== 'POST' && request.method !== 'DELETE') return [405, { error: 'Send POST.' }];
  const version = headerOf(request, 'mcp-protocol-version');
  if (version !== undefined && !versions.some((known) => known === version)) {
    return [400, { error: `This version of the protocol is not spoken: ${versions.join(', ')}.` }];
  }
  return null;
}

function nameIn(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : null;
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function isOld({ usedAt }: Known): boolean {
  return Date.now() - usedAt > idleMs;
}

function begin(sessions: Map<string, Known>, owner: string): string {
  for (const [id, known] of sessions) if (isOld(known)) sessions.delete(id);
  const [oldest] = sessions.keys();
  if (sessions.size >= maxSessions && oldest !== undefined) sessions.delete(oldest);
  const id = randomUUID();
  sessions.set(id, { session: openSession(), owner, usedAt: Date.now() });
  return id;
}

const tooLarge = Symbol('too large');

async function readMessage(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  // The end of the loop must not close the connection, on which the answer is still to be sent.
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    size += (piece as Buffer).length;
    if (size > maxBytes) return tooLarge;
    pieces.push(piece as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, body: object | null): void {
  response.writeHead(status, { 'cache-control': 'no-store', ...(body ? { 'content-type': 'application/json' } : {}) });
  response.end(body ? JSON.stringify(body) : undefined);
}
