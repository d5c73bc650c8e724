import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@kontor/database';
import { createApiKey } from '@kontor/parts';
import { KontorError } from '@kontor/protocol';
import { testAdmin } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../logging/create-log.ts';
import { describeError } from '../logging/describe-error.ts';
import { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startShop({ logLevel: 'trace' });
  admin = await world.signedIn();
});
afterAll(() => world.close());

const lines = () => world.log.map((line) => JSON.parse(line) as Record<string, unknown>);
const lineOf = async (id: string) =>
  expect
    .poll(() => lines().find((line) => line.reqId === id), { timeout: 120_000 })
    .toBeDefined()
    .then(() => lines().find((line) => line.reqId === id));

describe('the log', () => {
  it('RTE-10 has one line per request: id, user, model, method, status, code, duration', async () => {
    await admin.call({ model: 'shop.order', method: 'search', args: [] }, { 'x-request-id': 'line-1' });
    expect(await lineOf('line-1')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      pid: process.pid,
      reqId: 'line-1',
      userId: 1,
      verb: 'POST',
      route: '/api/rpc',
      model: 'shop.order',
      method: 'search',
      status: 200,
      durationMs: expect.any(Number),
      msg: 'request',
    });
    await admin.call({ model: 'shop.order', method: 'read', args: [[999]] }, { 'x-request-id': 'line-2' });
    expect(await lineOf('line-2')).toMatchObject({ level: 'info', status: 404, code: 'NOT_FOUND' });
    await world.browser().get('/web/home', { 'x-request-id': 'line-3' });
    const anonymous = await lineOf('line-3');
    expect(anonymous).toMatchObject({ route: '/web/home', status: 302 });
    expect(anonymous).not.toHaveProperty('userId');
    for (const id of ['line-1', 'line-2', 'line-3'])
      expect(lines().filter((line) => line.reqId === id)).toHaveLength(1);
  });

  it('RTE-10 keeps a failure of the server with its place, under the id that the caller got', async () => {
    const id = await admin.rpc<number>('shop.order', 'create', [{ name: 'fails' }]);
    const { status, error } = await admin.call(
      { model: 'shop.order', method: 'call', args: [id, 'action_fail', { secret: 'hunter2hunter2' }] },
      { 'x-request-id': 'failed-1' },
    );
    expect([status, error]).toEqual([
      500,
      { code: 'INTERNAL_ERROR', message: expect.any(String), details: { request_id: 'failed-1' } },
    ]);
    expect(await lineOf('failed-1')).toMatchObject({
      level: 'error',
      code: 'INTERNAL_ERROR',
      err: { type: 'Error', message: 'something broke near password=***', stack: expect.stringContaining('at ') },
    });
  });

  it('RTE-10 never holds a key, a password, a token, a cookie or the values of a record, wherever they stand', async () => {
    let made = 0;
    const secrets: string[] = [];
    const secret = (what: string): string => {
      const text = `S3cr3t-${what}-${++made}-x`;
      secrets.push(text);
      return text;
    };
    const { secret: key } = await world.work((env) =>
      createApiKey(env, { userId: 1, name: 'log', expiresAt: null, scope: null }),
    );
    secrets.push(key, testAdmin.password, admin.csrf, admin.cookies.get('svc_session') as string);
    const order = 'shop.order';

    await world.browser().form('/web/login', { login: secret('login'), password: secret('password') });
    await world.browser().json('/web/login', { login: testAdmin.email, password: secret('password') });
    await world.browser().json('/web/login', { login: { deep: secret('object') } });
    await world
      .browser()
      .form('/web/login', { login: testAdmin.email, password: testAdmin.password, next: `/web?q=${secret('next')}` });
    for (const path of [
      '/web/reset-password?token=',
      '/web/login?next=',
      '/web/home?token=',
      '/nothing?key=',
      '/',
      '/web/',
      '/web/wc/workspace?q=',
      '/%zz',
    ]) {
      await admin.get(path + secret('url'));
      await world
        .browser()
        .get(path + secret('url'), { referer: `http://x/${secret('referer')}`, 'user-agent': secret('agent') });
    }
    await world.browser().form('/web/reset-password', { token: secret('token'), password: secret('password') });
    const fake = `sk_${'12345678'.repeat(6)}`;
    secrets.push(fake);
    for (const headers of [
      { 'x-api-key': fake },
      { authorization: `Bearer ${fake}` },
      { authorization: `Basic ${secret('basic')}` },
    ]) {
      await world.browser().call({}, headers as Record<string, string>);
    }
    await world.browser().call({}, { 'x-request-id': fake, cookie: `svc_session=${secret('cookie')}` });
    await admin.call({}, { 'x-csrf-token': secret('csrf') });
    await admin.call({}, { 'idempotency-key': secret('idempotency') });

    const keyed = Browser.withKey(world.url, key);
    const name = secret('name');
    const id = await keyed.rpc<number>(order, 'create', [
      { name, note: secret('note'), extra: { deep: secret('json') } },
    ]);
    const refusals: [string, string, unknown[], object?][] = [
      [order, 'create', [{ name }]],
      [order, 'create', [{ name: secret('long').padEnd(100, 'x') }]],
      [order, 'create', [{ name: secret('x'), state: secret('state') }]],
      [order, 'create', [{ name: secret('x'), count: secret('number') }]],
      [order, 'create', [{ [secret('field')]: 1 }]],
      [order, 'write', [[id], { name: secret('x'), partner_id: 999_999 }]],
      [order, 'write', [[id], { note: `${secret('null')}\0` }]],
      [order, 'write', [[id], { note: 'x' }], { base: { note: secret('base') } }],
      [order, 'search', [[['name', '=', secret('domain')]]]],
      [order, 'search', [[['count', '=', secret('domain')]]]],
      [order, 'search', [[[secret('path'), '=', 1]]]],
      [order, 'search_read', [[], [secret('projection')]], { order: secret('order') }],
      [order, 'read_group', [{ domain: [], groupby: [secret('group')], fields: [] }]],
      [order, 'call', [id, secret('action')]],
      [order, 'call', [id, 'action_sell', { refuse: secret('params') }]],
      [order, 'call', [id, 'action_fail', { secret: secret('failure') }]],
      [secret('model'), 'search', []],
      [order, secret('method'), []],
      ['core.user', 'write', [[1], { password: secret('short').slice(0, 7) }]],
      [
        'core.user',
        'call',
        [1, 'action_change_password', { old_password: secret('old'), new_password: secret('new') }],
      ],
      ['core.user', 'create', [{ name: 'x', login: testAdmin.email, password: secret('password') }]],
    ];
    for (const [model, method, args, kwargs = {}] of refusals) await admin.call({ model, method, args, kwargs });
    await admin.fetch('/api/rpc', {
      method: 'POST',
      body: `{"${secret('broken')}`,
      headers: { 'content-type': 'application/json', 'x-csrf-token': admin.csrf },
    });
    await admin.form('/web/action/create_api_key', { name: 'x', scope: `{"${secret('scope')}` });
    await admin.json('/web/user/pinned-apps', { modules: secret('pinned') });

    const violation = await world.kernel.database
      .execute(sql`insert into shop_order (name, state) values (${name}, 'draft')`)
      .catch((error: unknown) => error);
    const wrongType = await world.kernel.database
      .execute(sql`select ${secret('cast')}::int4`)
      .catch((error: unknown) => error);
    const translated = new KontorError('VALIDATION_ERROR', secret('message'), { fields: { name: [secret('detail')] } });
    Object.defineProperty(translated, 'cause', { value: violation });
    for (const error of [
      violation,
      wrongType,
      translated,
      new KontorError('UNAVAILABLE', 'away', { note: secret('details') }),
    ]) {
      world.server.log.error({ err: error }, 'a database error');
      world.server.log.warn(
        { error, password: secret('field'), deep: { token: secret('field') } },
        `with Bearer ${key}`,
      );
    }
    await admin.get('/api/health', { 'x-request-id': 'after-all' });
    await lineOf('after-all');

    const log = world.log.join('');
    expect(log).toContain('"constraint"');
    for (const each of secrets) expect([each, log.includes(each)]).toEqual([each, false]);
    for (const part of ['argon2', 'set-cookie', 'svc_session', 'insert into', 'select '])
      expect(log).not.toContain(part);
  });
});

describe('what a log holds of an error', () => {
  it('RTE-10 keeps type, code and place; of the database no message, of others no value', async () => {
    const raw = await world.kernel.database
      .execute(sql`insert into shop_tag (name) values ('a'), ('a')`)
      .catch((error: unknown) => error);
    const described = describeError(raw);
    expect(described).toMatchObject({ code: '23505', table: 'shop_tag', constraint: expect.any(String) });
    expect(described).not.toHaveProperty('message');
    expect(JSON.stringify(described)).not.toMatch(/Key \(name\)|detail|\(a\)/);
    expect(describeError(new TypeError('x is not a function'))).toMatchObject({
      type: 'TypeError',
      message: 'x is not a function',
    });
    const argument = (() => {
      try {
        return Buffer.from(JSON.parse('42'));
      } catch (error) {
        return error;
      }
    })();
    expect(describeError(argument).message).not.toContain('42');
    const syntax = (() => {
      try {
        return JSON.parse('hunter2');
      } catch (error) {
        return error;
      }
    })();
    expect(JSON.stringify(describeError(syntax))).not.toContain('hunter2');
    expect(describeError('just a text')).toEqual({ type: 'string' });
    expect(describeError(undefined)).toEqual({ type: 'undefined' });
    const looped = new Error('round');
    looped.cause = looped;
    expect(JSON.stringify(describeError(looped)).length).toBeLessThan(20_000);
    const lines = Object.assign(new Error('first\n    at values (of:1:1)'), {});
    expect(describeError(lines).stack).not.toContain('values (of');
  });

  it('RTE-10 a log file is read by nobody else, also one that was there before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-log-'));
    const [fresh, old] = [join(folder, 'new', 'kontor.log'), join(folder, 'kontor.log')];
    await writeFile(old, '', { mode: 0o644 });
    for (const logFile of [fresh, old]) {
      createLog({ logLevel: 'info', logFile }).info('hello');
      await expect.poll(() => readFile(logFile, 'utf8').catch(() => '')).toContain('hello');
      expect(((await stat(logFile)).mode & 0o777).toString(8)).toBe('600');
    }
    await rm(folder, { recursive: true });
  });
});
