import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpServer } from '../mcp/http.ts';
import type { Browser } from './browser.ts';
import { rawRequest, statusOf } from './raw-http.ts';
import { testAddons } from './shop.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
let agents: ReturnType<typeof createMcpServer>;
beforeAll(async () => {
  world = await startTestServer({
    addonsPath: [testAddons],
    modules: ['counter'],
    timeouts: { bodyMs: 1_000, checkMs: 50 },
  });
  admin = await world.signedIn();
  agents = createMcpServer({ url: world.url, serverVersion: '0.0.0', hosts: [], origins: [] });
  await once(agents.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  agents.closeAllConnections();
  agents.close();
  await world.close();
});

const piece = Buffer.alloc(250_000, 0x20);

interface Sending {
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly bytes?: number;
  readonly isChunked?: boolean;
  readonly port?: number;
}

/** Sends all of a body before it looks for the answer, as many clients do, and ends the connection. */
function sendThenRead({ path, headers = {}, bytes = 12_000_000, isChunked = false, port = world.port }: Sending) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const size = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes) };
  return new Promise<string>((resolve) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
    socket.on('connect', async () => {
      socket.write(rawRequest(`POST ${path}`, { host: `127.0.0.1:${port}`, ...size, ...headers }));
      for (let sent = 0; sent < bytes && socket.writable; sent += piece.length) await write(socket, isChunked);
      socket.end(isChunked ? '0\r\n\r\n' : '');
      socket.on('data', (chunk) => {
        text += chunk;
      });
    });
  });
}

function write(socket: Socket, isChunked: boolean): Promise<void> {
  const bytes = isChunked
    ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    : piece;
  return new Promise((resolve) => socket.write(bytes, () => resolve()));
}

const session = () => ({
  cookie: `svc_session=${admin.cookies.get('svc_session')}`,
  'x-csrf-token': admin.csrf,
  accept: 'application/json',
});
const json = () => ({ ...session(), 'content-type': 'application/json' });
const form = () => ({ ...session(), 'content-type': 'multipart/form-data; boundary=x' });
const mcp = () => ({ authorization: `Bearer sk_${'0'.repeat(48)}`, 'content-type': 'application/json' });

describe('large bodies', () => {
  it.each<[string, number, () => Sending]>([
    ['a call', 413, () => ({ path: '/api/rpc', headers: json() })],
    ['an import', 413, () => ({ path: '/web/bulk/upload', headers: form() })],
    ['a login', 413, () => ({ path: '/web/login', headers: { 'content-type': 'application/json' } })],
    ['a route of an addon', 413, () => ({ path: '/counter/body', headers: { 'content-type': 'text/plain' } })],
    [
      'a message to agents',
      413,
      () => ({ path: '/mcp', headers: mcp(), port: (agents.address() as AddressInfo).port }),
    ],
    ['a call of nobody', 401, () => ({ path: '/api/rpc', headers: { 'content-type': 'application/json' } })],
    ['another type', 415, () => ({ path: '/api/rpc', headers: { ...json(), 'content-type': 'text/plain' } })],
    ['no page', 404, () => ({ path: '/nothing', headers: json() })],
  ])('RPC-30 %s that is refused is answered while it is sent', async (_, status, sending) => {
    for (const isChunked of [false, true]) {
      const answer = await sendThenRead({ ...sending(), isChunked });
      expect(statusOf(answer)).toBe(status);
      expect(answer.toLowerCase()).toContain('connection: close');
    }
  });

  long('RPC-30 thirty clients at once are answered by a server that is busy', async () => {
    const busy = setInterval(() => block(100), 10);
    try {
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          sendThenRead({ path: '/api/rpc', headers: json(), bytes: 5_000_000, isChunked: at % 2 === 0 }),
        ),
      );
      expect(answers.map(statusOf)).toEqual(Array(30).fill(413));
      for (const answer of answers) expect(answer).toContain('"code":"PAYLOAD_TOO_LARGE"');
    } finally {
      clearInterval(busy);
    }
  });

  it('RPC-30 a client that never ends is hung up on', async () => {
    const socket = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(rawRequest('POST /api/rpc', { ...json(), host: 'x', 'content-length': '1000000000000' }));
    while (socket.writable) await write(socket, false);
    await closed;
    expect(statusOf(text)).toBe(413);
  });

  long('RPC-30 a client that falls silent after its refusal is hung up on', async () => {
    const socket = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(rawRequest('POST /api/rpc', { ...json(), host: 'x', 'content-length': '5000000' }, '{'));
    await new Promise((resolve) => socket.once('end', resolve));
    expect(statusOf(text)).toBe(413);
    // It would go on for ever if it were read for ever.
    const drip = setInterval(() => socket.write(' '), 20);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
  });

  long('RPC-31 time in which the server was busy is no silence of the client', async () => {
    const body = JSON.stringify({ model: 'core.user', method: 'search', args: [[]] });
    const socket = connect(world.port, '127.0.0.1');
    const arrived = new Promise((resolve) => world.server.server.once('request', resolve));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    const length = String(Buffer.byteLength(body));
    socket.write(rawRequest('POST /api/rpc', { ...json(), host: 'x', 'content-length': length }).concat('{'));
    await arrived;
    block(2_000);
    socket.write(body.slice(1));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(statusOf(text)).toBe(200);
  });
});

/** Keeps this process, and with it the server, from doing anything else. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
