import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { collect, rawRequest, sendRaw, statusOf } from './raw-http.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer({ timeouts: { bodyMs: 1_500, headersMs: 2_500, checkMs: 100, silenceMs: 5_000 } });
  admin = await world.signedIn();
});
afterAll(() => world.close());

const headers = () => ({
  host: `127.0.0.1:${world.port}`,
  'content-type': 'application/json',
  cookie: `svc_session=${admin.cookies.get('svc_session')}`,
  'x-csrf-token': admin.csrf,
});

describe('clients that are slow or speak no HTTP', () => {
  it.concurrent('RPC-31 a body that trickles is cut', async ({ expect }) => {
    const socket = connect(world.port, '127.0.0.1');
    const answer = await collect(socket, () => {
      socket.write(rawRequest('POST /api/rpc', { ...headers(), 'content-length': '100000' }));
      const drip = setInterval(() => (socket.writable ? socket.write('{') : clearInterval(drip)), 100);
      socket.on('close', () => clearInterval(drip));
    });
    expect(statusOf(answer)).toBe(408);
    expect((await admin.call({ model: 'core.user', method: 'search', args: [] })).ok).toBe(true);
  });

  it.concurrent('RPC-31 a body that begins fast and then trickles is cut', async ({ expect }) => {
    const socket = connect(world.port, '127.0.0.1');
    const answer = await collect(socket, () => {
      socket.write(rawRequest('POST /api/rpc', { ...headers(), 'content-length': '1000000' }));
      socket.write(' '.repeat(500_000));
      const drip = setInterval(() => (socket.writable ? socket.write(' ') : clearInterval(drip)), 100);
      socket.on('close', () => clearInterval(drip));
    });
    expect(statusOf(answer)).toBe(408);
  });

  it.concurrent('RPC-31 an upload takes as long as it takes while something comes, and is cut when nothing does', async ({
    expect,
  }) => {
    const upload = (pieces: number) => {
      const socket = connect(world.port, '127.0.0.1');
      return collect(socket, () => {
        const length = String(26 * 20_000);
        socket.write(rawRequest('POST /api/rpc', { ...headers(), 'content-length': length, connection: 'close' }));
        let sent = 0;
        const drip = setInterval(() => {
          if (sent++ < pieces && socket.writable) socket.write(' '.repeat(20_000));
          else clearInterval(drip);
        }, 100);
        socket.on('close', () => clearInterval(drip));
      });
    };
    // All of it in 2.6 seconds, where a silence of 1.5 is the limit; and half of it.
    const [whole, half] = await Promise.all([upload(26), upload(13)]);
    expect([statusOf(whole), statusOf(half)]).toEqual([400, 408]);
    expect(whole).toContain('INVALID_JSON');
  });

  it.concurrent('RPC-23 headers that never end are cut', async ({ expect }) => {
    const socket = connect(world.port, '127.0.0.1');
    const answer = await collect(socket, () => socket.write('POST /api/rpc HTTP/1.1\r\nhost: x\r\nx-slow: '));
    expect(statusOf(answer)).toBe(408);
    expect(answer).toContain('"ok":false');
  });

  it.concurrent('RPC-23 a connection on which nothing is said is closed', async ({ expect }) => {
    const socket = connect(world.port, '127.0.0.1');
    expect(statusOf(await collect(socket, () => {}))).toBe(408);
  });

  it.each([
    ['no HTTP', 'hello world\r\n\r\n', 400],
    ['a verb that is none', 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a version that is none', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n', 400],
    ['no host', 'GET /api/health HTTP/1.1\r\n\r\n', 400],
    ['a null byte in a header', 'GET / HTTP/1.1\r\nhost: x\r\nx-a: a\0b\r\n\r\n', 400],
    ['two lengths', 'POST /api/rpc HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 400],
    [
      'length and chunks',
      'POST /api/rpc HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a length that is none', 'POST /api/rpc HTTP/1.1\r\nhost: x\r\ncontent-length: many\r\n\r\n', 400],
    ['a chunk that is none', 'POST /api/rpc HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 400],
    ['headers past all reason', `GET / HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an address past all reason', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
  ])('RPC-23 answers %s and goes on', async (_, bytes, status) => {
    const answer = await sendRaw(world.port, bytes);
    expect(statusOf(answer)).toBe(status);
    expect((await fetch(`${world.url}/api/health`)).status).toBe(200);
  });

  it('RPC-23 clients that leave in the middle leave nothing behind', async () => {
    const open = new Set<Socket>();
    let seen = 0;
    const count = (socket: Socket): void => {
      seen++;
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    };
    world.server.server.on('connection', count);
    for (let at = 0; at < 20; at++) {
      const socket = connect(world.port, '127.0.0.1');
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(rawRequest('POST /api/rpc', { ...headers(), 'content-length': '500' }, '').concat('{"model"'));
      socket.destroy();
    }
    await expect.poll(() => ({ seen, open: open.size })).toEqual({ seen: 20, open: 0 });
    world.server.server.off('connection', count);
    expect((await admin.call({ model: 'core.user', method: 'search', args: [] })).ok).toBe(true);
    expect(world.log.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  });
});
