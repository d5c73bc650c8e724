import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
});
afterAll(() => world.close());

const flat = { model: 'shop.order', method: 'search', args: [] };

async function post(body: string | Uint8Array, headers: Record<string, string> = {}) {
  const response = await admin.fetch('/api/rpc', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-csrf-token': admin.csrf, ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Status and code, after a look at the envelope, which is always whole. */
async function refused(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<string> {
  const { status, text } = await post(body, headers);
  const envelope = JSON.parse(text);
  expect(envelope).toEqual({
    ok: false,
    result: null,
    error: { code: expect.any(String), message: expect.any(String), details: expect.any(Object) },
  });
  return `${status} ${envelope.error.code}`;
}

describe('the request', () => {
  it('RPC-1 takes the flat form and the wrapper form', async () => {
    expect(await admin.call(flat)).toMatchObject({ ok: true, result: [], error: null, status: 200 });
    expect(await admin.call({ params: flat })).toMatchObject({ ok: true, result: [], error: null });
    expect(await admin.call({ params: { ...flat, kwargs: { limit: 1 } } })).toMatchObject({ ok: true });
  });

  it.each([
    ['both forms', { params: flat, ...flat }],
    ['a wrapper in a wrapper', { params: { params: flat } }],
    ['a wrapper of nothing', { params: null }],
    ['a list', [flat]],
    ['no model', { ...flat, model: undefined }],
    ['an empty model', { ...flat, model: '' }],
    ['a model that is no name', { ...flat, model: 7 }],
    ['no method', { ...flat, method: undefined }],
    ['no args', { ...flat, args: undefined }],
    ['args that are no list', { ...flat, args: {} }],
    ['kwargs that are a list', { ...flat, kwargs: [] }],
    ['an unknown key', { ...flat, jsonrpc: '2.0' }],
    ['an unknown kwarg', { ...flat, kwargs: { lim: 3 } }],
    ['too many args', { ...flat, args: [[], [], []] }],
    ['__proto__ as a kwarg', JSON.parse('{"model":"shop.order","method":"search","args":[],"kwargs":{"__proto__":1}}')],
  ])('RPC-1 refuses %s with INVALID_ARGS', async (_, body) => {
    expect(await refused(JSON.stringify(body))).toBe('400 INVALID_ARGS');
  });

  it('RPC-1 names the field, the method and what was probably meant', async () => {
    const { error } = await admin.call({ ...flat, kwargs: { limt: 3 } });
    expect(error?.details).toMatchObject({ method: 'search', field: 'limt', hint: 'Did you mean "limit"?' });
  });
});

describe('the answer', () => {
  it('RPC-2 is always complete', async () => {
    expect(JSON.parse((await post(JSON.stringify(flat))).text)).toEqual({ ok: true, result: [], error: null });
    expect(JSON.parse((await post('{}')).text)).toEqual({
      ok: false,
      result: null,
      error: { code: 'INVALID_ARGS', message: expect.any(String), details: { field: 'model' } },
    });
    const anonymous = await world.browser().call(flat);
    expect(anonymous).toMatchObject({ ok: false, result: null, status: 401 });
    expect(anonymous.error).toEqual({ code: 'UNAUTHORIZED', message: expect.any(String), details: {} });
  });

  it('RPC-3 echoes a request id, and makes one where none or no sane one is sent', async () => {
    const sent = async (id?: string) =>
      (await admin.call(flat, id === undefined ? {} : { 'x-request-id': id })).headers.get('x-request-id');
    expect(await sent('order-42/retry:1')).toBe('order-42/retry:1');
    expect(await sent('x'.repeat(128))).toBe('x'.repeat(128));
    const made = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
    expect(await sent()).toMatch(made);
    expect(await sent('x'.repeat(129))).toMatch(made);
    expect(await sent('two words')).toMatch(made);
    expect(await sent('caf\u00e9')).toMatch(made);
    const failed = await admin.call({}, { 'x-request-id': 'failed-1' });
    expect(failed.headers.get('x-request-id')).toBe('failed-1');
  });

  it('RPC-4 serves the twelve methods and no other name', async () => {
    const served =
      'search search_read read read_group call create write unlink create_many write_many unlink_many onchange';
    for (const method of served.split(' ')) {
      const { error } = await admin.call({ model: 'shop.order', method, args: 7 as unknown });
      expect(error?.code).toBe('INVALID_ARGS');
    }
    const others = [
      'sudo',
      'copy',
      'load',
      'count',
      'browse',
      'Search',
      'search ',
      'constructor',
      '__proto__',
      'toString',
    ];
    for (const method of [...others, 'hasOwnProperty', 'action_sell', 'searchRead', 'model', "search'; --"]) {
      expect(await admin.outcome('shop.order', method)).toBe('403 METHOD_NOT_ALLOWED');
    }
    const { error } = await admin.call({ ...flat, method: 'sudo' });
    expect(error?.details).toEqual({ method: 'sudo' });
  });

  it.each(['nothing.here', '__proto__', 'constructor', 'toString', 'shop_order', "shop.order'--", 'SHOP.ORDER'])(
    'RPC-23 has no model %j',
    async (model) => {
      const { status, error } = await admin.call({ ...flat, model });
      expect([status, error?.code, error?.details.model]).toEqual([404, 'MODEL_NOT_FOUND', model]);
    },
  );
});

describe('the body', () => {
  it('RPC-22 takes up to 4 MB and answers 413 beyond, so that the caller reads it', async () => {
    const padded = (size: number) => {
      const start = JSON.stringify(flat).slice(0, -1);
      return `${start}${' '.repeat(size - start.length - 1)}}`;
    };
    expect((await post(padded(4_000_000))).status).toBe(200);
    const { status, text } = await post(padded(4_000_001));
    expect(status).toBe(413);
    expect(JSON.parse(text).error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { max: 4_000_000 } });
    expect(await refused(padded(12_000_000))).toBe('413 PAYLOAD_TOO_LARGE');
    expect((await admin.call(flat)).ok).toBe(true);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json; charset=latin1',
    'application/jsonx',
    'application/json-patch+json',
    '',
  ])('RPC-22 answers 415 to %j', async (type) => {
    expect(await refused(JSON.stringify(flat), { 'content-type': type })).toBe('415 UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'RPC-22 takes %j',
    async (type) => {
      expect((await post(JSON.stringify(flat), { 'content-type': type })).status).toBe(200);
    },
  );

  it('RPC-22 does not take a body that is packed', async () => {
    expect(await refused(JSON.stringify(flat), { 'content-encoding': 'gzip' })).toBe('415 UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('RPC-22 answers 405 to %s', async (method) => {
    const response = await admin.fetch('/api/rpc', { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    if (method !== 'HEAD') expect((await Browser.errorOf(response)).code).toBe('METHOD_NOT_ALLOWED');
  });

  it.each([
    ['nothing', ''],
    ['half an object', '{"model":'],
    ['a word', 'hello'],
    ['two values', '{} {}'],
    ['a trailing comma', '{"model":"shop.order",}'],
    ['a comment', '{/* */}'],
    ['NaN', '{"model":NaN}'],
    ['a number past the range', `{"model":"shop.order","method":"search","args":[[["id","=",1e400]]]}`],
    ['a key twice', '{"model":"a","model":"b","method":"search","args":[]}'],
    ['a key twice, once escaped', '{"model":"a","m\\u006fdel":"b","method":"search","args":[]}'],
    ['nesting past all reason', `{"args":${'['.repeat(101)}${']'.repeat(101)}}`],
    ['a million brackets', '['.repeat(1_000_000)],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])('RPC-23 answers INVALID_JSON to %s', async (_, body) => {
    expect(await refused(body)).toBe('400 INVALID_JSON');
  });

  it('RPC-23 keeps the same key in different objects apart', async () => {
    const domain = [['name', '=', { name: 1 }]];
    expect((await admin.call({ ...flat, args: [domain] })).error?.code).toBe('INVALID_ARGS');
    expect(
      (await admin.call({ model: 'shop.order', method: 'onchange', args: [{ extra: { a: { a: 1 } } }, []] })).ok,
    ).toBe(true);
  });
});

describe('who calls', () => {
  it('RPC-17 is asked before the body is read', async () => {
    const { status, error } = await world.browser().call(JSON.parse('{"broken": true}'));
    expect([status, error?.code]).toEqual([401, 'UNAUTHORIZED']);
    const wrongKey = Browser.withKey(world.url, 'sk_0');
    expect((await wrongKey.call(flat)).error?.code).toBe('UNAUTHORIZED');
  });
});
