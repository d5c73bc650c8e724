import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isPublicAddress, readAllowed } from '../outgoing/public-address.ts';
import { requestOutside } from '../outgoing/request-outside.ts';

let server: Server;
let port: number;
let asked: string[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  answer = (_request, response) => response.end('hello');
});

const nothing = readAllowed([]);
const local = readAllowed(['127.0.0.1']);
const here = (path = '/') => `http://127.0.0.1:${port}${path}`;

describe('OUT-1 addresses that are asked', () => {
  it.each([
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '100.127.255.255',
      '127.0.0.1',
      '127.9.9.9',
      '169.254.169.254',
      '172.31.0.1',
    ],
    ...[
      '192.168.1.1',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.7',
      '203.0.113.9',
      '224.0.0.1',
      '239.1.1.1',
      '255.255.255.255',
    ],
    ...[
      '::',
      '::1',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '64:ff9b::a00:1',
    ],
    ...['::ffff:127.0.0.1', '::ffff:a00:1', '0:0:0:0:0:ffff:169.254.169.254', '::7f00:1', '2001:0:1::', 'nonsense'],
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '100.63.255.255',
    '172.32.0.1',
    '93.184.216.34',
    '2606:4700::1111',
    '2a00:1450::1',
    '::ffff:1.1.1.1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    'http://127.0.0.1:9/',
    'http://127.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fd00::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost/',
    'https://localhost:8443/',
  ])('%s is refused, and nothing is connected', async (url) => {
    const result = await requestOutside(nothing, { url });
    expect(result).toMatchObject({ kind: 'failure', reason: 'refused' });
  });

  it('the configuration allows hosts by name, addresses and networks', async () => {
    expect(await requestOutside(nothing, { url: here() })).toMatchObject({ reason: 'refused' });
    for (const allowed of ['127.0.0.1', '127.0.0.0/8']) {
      expect(await requestOutside(readAllowed([allowed]), { url: here() })).toMatchObject({ status: 200 });
    }
    const byName = `http://crm.lan:${port}/`;
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    expect(await requestOutside(nothing, { url: byName }, resolve)).toMatchObject({ reason: 'refused' });
    expect(await requestOutside(readAllowed(['CRM.lan']), { url: byName }, resolve)).toMatchObject({ status: 200 });
    expect(await requestOutside(readAllowed(['other.lan']), { url: byName }, resolve)).toMatchObject({
      reason: 'refused',
    });
  });
});

describe('OUT-2 what is asked', () => {
  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'http://user:pass@example.com/',
    'no address',
  ])('%s is not', async (url) => {
    expect(await requestOutside(local, { url })).toMatchObject({ kind: 'failure' });
  });

  it('a name is looked up once: one that leads inside the next time is of no use', async () => {
    let lookups = 0;
    const resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    const result = await requestOutside(local, { url: `http://rebind.example:${port}/x`, body: '{}' }, resolve);
    expect(result).toMatchObject({ kind: 'answer', status: 200, text: 'hello' });
    expect(lookups).toBe(1);
    expect(asked).toEqual([`POST rebind.example:${port} /x`]);
  });

  it('a name that leads inside as well is refused', async () => {
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '::1', family: 6 },
    ];
    const result = await requestOutside(nothing, { url: 'http://both.example/' }, resolve);
    expect(result).toMatchObject({ kind: 'failure', reason: 'refused' });
  });

  it('OUT-4 a name of the own network and one that nobody has are told in the same words, without an address', async () => {
    const inside = async () => [{ address: '10.20.30.40', family: 4 }];
    const unknown = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
    const url = 'http://ledger.corp.example/';
    const told = await Promise.all([inside, unknown].map((resolve) => requestOutside(nothing, { url }, resolve)));
    const [first, second] = told.map(({ ms: _, ...rest }) => rest);
    expect(first).toEqual(second);
    expect(JSON.stringify(first)).not.toContain('10.20');
    const allowed = readAllowed(['ledger.corp.example']);
    const closed = await requestOutside(allowed, { url: 'http://ledger.corp.example:1/' }, async () => [
      { address: '127.0.0.1', family: 4 },
    ]);
    expect(JSON.stringify(closed)).not.toContain('127.0.0.1');
  });

  it('a redirect is an answer and is not followed', async () => {
    answer = (_request, response) => response.writeHead(302, { location: here('/elsewhere') }).end();
    expect(await requestOutside(local, { url: here('/first') })).toMatchObject({ status: 302 });
    expect(asked).toEqual([`POST 127.0.0.1:${port} /first`]);
  });
});

describe('OUT-3 how long and how much', () => {
  it('a server that says nothing is late; so is a name that is never found', async () => {
    answer = () => {};
    const request = { url: here(), timeoutMs: 60 };
    expect(await requestOutside(local, request)).toMatchObject({ kind: 'failure', reason: 'late' });
    const never = () => new Promise<never>(() => {});
    expect(await requestOutside(local, { url: 'http://slow.example/', timeoutMs: 30 }, never)).toMatchObject({
      reason: 'late',
    });
  });

  it('an answer that trickles or has no end is cut, and its status counts', async () => {
    answer = (_request, response) => response.writeHead(200).write('a'.repeat(10));
    expect(await requestOutside(local, { url: here(), timeoutMs: 80 })).toMatchObject({
      status: 200,
      text: 'a'.repeat(10),
    });
    answer = (_request, response) => {
      const more = () => response.write('b'.repeat(1_000)) && setImmediate(more);
      response.on('drain', more);
      more();
    };
    const long = await requestOutside(local, { url: here(), maxBytes: 50 });
    expect(long).toMatchObject({ status: 200, text: 'b'.repeat(50) });
  });

  it('nobody there is unreachable, and a request can be called off', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port: free } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    expect(await requestOutside(local, { url: `http://127.0.0.1:${free}/` })).toMatchObject({ reason: 'unreachable' });
    const stop = new AbortController();
    answer = () => stop.abort();
    expect(await requestOutside(local, { url: here(), signal: stop.signal })).toMatchObject({ kind: 'failure' });
  });
});
