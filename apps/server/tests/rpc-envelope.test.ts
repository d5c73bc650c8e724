import { createApiKey } from '@kontor/parts';
import { type ErrorCode, errorCatalogue } from '@kontor/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
});
afterAll(() => world.close());

const order = 'shop.order';
const flat = { model: order, method: 'search', args: [] };

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function answered(response: Response): Promise<Answered> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function post(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answered> {
  const all = { 'content-type': 'application/json', 'x-csrf-token': admin.csrf, ...headers };
  return answered(await admin.fetch('/api/rpc', { method: 'POST', body, headers: all }));
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
  it('RPC-2 is whole and in order for every method', async () => {
    const [a, b] = await admin.rpc<number[]>(order, 'create_many', [[{ name: 'whole 1' }, { name: 'whole 2' }]]);
    const calls: [string, unknown[]][] = [
      ['search', [[['id', '=', 0]]]],
      ['search_read', [[], ['name']]],
      ['read', [[a], ['name']]],
      ['read_group', [{ domain: [], groupby: ['state'], fields: [] }]],
      ['call', [a, 'action_open']],
      ['create', [{ name: 'whole 3' }]],
      ['write', [[a], { note: 'x' }]],
      ['create_many', [[{ name: 'whole 4' }]]],
      ['write_many', [[a, b], { note: 'y' }]],
      ['onchange', [{}, []]],
      ['unlink', [[a]]],
      ['unlink_many', [[b]]],
    ];
    for (const [method, args] of calls) {
      const { status, text, headers } = await post(JSON.stringify({ model: order, method, args }));
      expect([method, status]).toEqual([method, 200]);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(text).toMatch(/^\{"ok":true,"result":.+,"error":null\}$/s);
      expect(JSON.parse(text).result).not.toBeUndefined();
    }
  });

  it('RPC-2 is whole and in order for every code of the catalogue, with its status and no more', async () => {
    const limited = await startTestServer({ env: { KONTOR_RATE_LIMIT_RPM: '1' } });
    const bare = await startTestServer({ isSetUp: false });
    try {
      const answers = await provoke(limited, bare);
      for (const [code, { status, text, headers }] of Object.entries(answers)) {
        expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
        const envelope = JSON.parse(text);
        expect(text.startsWith(`{"ok":false,"result":null,"error":{"code":"${code}","message":"`), text).toBe(true);
        expect(Object.keys(envelope)).toEqual(['ok', 'result', 'error']);
        expect(Object.keys(envelope.error)).toEqual(['code', 'message', 'details']);
        expect([code, status]).toEqual([code, errorCatalogue[code as ErrorCode].status]);
        expect(envelope.error.message).toMatch(/^.{8,}$/s);
        expect(Object.prototype.toString.call(envelope.error.details)).toBe('[object Object]');
      }
      expect(Object.keys(answers).sort()).toEqual(Object.keys(errorCatalogue).sort());
      expect(JSON.parse(answers.UNAUTHORIZED?.text ?? '').error.details).toEqual({});
      expect(JSON.parse(answers.CSRF_INVALID?.text ?? '').error.details).toEqual({});
    } finally {
      await limited.close();
      await bare.close();
    }
  });

  /** One answer for each code. */
  async function provoke(limited: TestServer, bare: TestServer): Promise<Readonly<Record<string, Answered>>> {
    const [a, b] = await admin.rpc<number[]>(order, 'create_many', [[{ name: 'code 1' }, { name: 'code 2' }]]);
    const call = (method: string, ...args: unknown[]) => post(JSON.stringify({ model: order, method, args }));
    await admin.call(flat, {});
    const first = { model: order, method: 'write', args: [[b], { note: 'first' }] };
    await post(JSON.stringify(first), { 'idempotency-key': 'code' });
    const stranger = (server: TestServer) =>
      server.browser().json('/api/rpc', flat, { accept: 'application/json' }).then(answered);
    const keyed = await limited.work((env) =>
      createApiKey(env, { userId: 1, name: 'limit', expiresAt: null, scope: null }),
    );
    const once = async () => answered(await Browser.withKey(limited.url, keyed.secret).json('/api/rpc', flat));
    await once();
    const NOT_INITIALISED = await stranger(bare);
    await bare.kernel.database.close();
    return {
      INVALID_JSON: await post('{'),
      INVALID_ARGS: await post('{}'),
      UNAUTHORIZED: await stranger(world),
      CSRF_INVALID: await post(JSON.stringify(flat), { 'x-csrf-token': 'wrong' }),
      ACCESS_DENIED: await call('write', [a], { reference: 'forged' }),
      METHOD_NOT_ALLOWED: await call('sudo'),
      MODEL_NOT_FOUND: await post(JSON.stringify({ ...flat, model: 'no.such' })),
      NOT_FOUND: await call('read', [2_000_000_000]),
      ACTION_NOT_FOUND: await call('call', a, 'action_nothing'),
      CONFLICT: await post(JSON.stringify({ ...first, args: [[b], { note: 'other' }] }), { 'idempotency-key': 'code' }),
      PAYLOAD_TOO_LARGE: await post(' '.repeat(4_000_001)),
      UNSUPPORTED_MEDIA_TYPE: await post('x', { 'content-type': 'text/plain' }),
      VALIDATION_ERROR: await call('write', [a], { count: 'many' }),
      USER_ERROR: await call('call', a, 'action_sell', { refuse: 'yes' }),
      INTERNAL_ERROR: await call('call', a, 'action_fail', {}),
      RATE_LIMITED: await once(),
      NOT_INITIALISED,
      UNAVAILABLE: await stranger(bare),
    };
  }

  it('RPC-3 echoes a request id, and makes one where none or no sane one is sent', async () => {
    const sent = async (id?: string) =>
      (await admin.call(flat, id === undefined ? {} : { 'x-request-id': id })).headers.get('x-request-id');
    expect(await sent('order-42/retry:1')).toBe('order-42/retry:1');
    expect(await sent('x'.repeat(128))).toBe('x'.repeat(128));
    const made = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
    expect(await sent()).toMatch(made);
    for (const odd of ['x'.repeat(1_000), 'two words', 'caf\u00e9', '{"a":"b"}']) expect(await sent(odd)).toBe(odd);
    expect(await sent('x'.repeat(1_001))).toMatch(made);
    expect(await sent('tab\there')).toMatch(made);
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

  it.each(['99999999999.99999999', '-1.00000000000000002', '0.30000000000000001', `1${'0'.repeat(400_000)}1e-400000`])(
    'REC-5 refuses %.24s, of which a number would keep other digits, so that no amount is stored wrong',
    async (amount) => {
      const body = `{"model":"shop.order","method":"create","args":[{"name":"Cut","margin":${amount}}]}`;
      expect(await refused(body)).toBe('400 INVALID_JSON');
      expect(await admin.rpc(order, 'search', [[['name', '=', 'Cut']]])).toEqual([]);
    },
  );

  it('REC-5 takes numbers as programs write them: with zeros, with an exponent, and doubles with all their digits', async () => {
    const read = async (values: string) => {
      const { text } = await post(`{"model":"shop.order","method":"onchange","args":[{${values}},"rate"]}`);
      return JSON.parse(text).ok;
    };
    for (const amount of ['1.00000000000000000000', '1e3', '0.10000000000000001', (0.1).toFixed(40), '-0', '0.0e-20']) {
      expect([amount, await read(`"margin":${amount}`)]).toEqual([amount, true]);
    }
    expect(await read('"rate":3.14159265358979323846')).toBe(true);
    expect(await read('"extra":{"id":12345678901234567890}')).toBe(true);
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
