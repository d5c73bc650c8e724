import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let world: TestServer;
let admin: Browser;
let user: TestUser;
beforeAll(async () => {
  world = await startTestServer();
  admin = await world.signedIn();
  user = await world.user('Owner Olga');
});
afterAll(() => world.close());

async function makeKey(fields: Record<string, string> = {}): Promise<string> {
  const response = await admin.form('/web/action/create_api_key', {
    name: 'test',
    user_id: String(user.id),
    ...fields,
  });
  expect(response.status).toBe(303);
  return (await admin.takeFlash()).body;
}
const call = { model: 'core.user', method: 'search_read', args: [[['id', '=', 1]], ['name']] };
const ask = async (headers: Record<string, string>, body: object = call) => {
  const { status, error } = await world.browser().call(body, headers);
  return error ? `${status} ${error.code}` : 'OK';
};

describe('making keys', () => {
  it('AUTH-6 a secret is shown to the person it was made for alone', async () => {
    await admin.form('/web/action/create_api_key', { name: 'taken', user_id: String(user.id) });
    const flash = admin.cookies.get('svc_flash') as string;
    user.browser.cookies.set('svc_flash', flash);
    expect(await user.browser.takeFlash()).toBeUndefined();
    expect(await admin.takeFlash()).toBeUndefined();
  });

  it('AUTH-6 the secret comes once, in a flash cookie; the database has its hash', async () => {
    const response = await admin.form('/web/action/create_api_key', {
      name: 'shop',
      user_id: String(user.id),
      next: '/web/apps',
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/web/apps']);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^svc_flash=[\w.-]+; HttpOnly; SameSite=Lax; Path=\/; Max-Age=120$/);
    const flash = admin.cookies.get('svc_flash') as string;
    const waiting = await world.kernel.database.query(sql`select data from sys_sign_in_step where kind = 'secret'`);
    const { kind, body: secret } = await admin.takeFlash();
    expect(waiting).toHaveLength(1);
    expect(JSON.stringify(waiting) + Buffer.from(flash, 'base64url').toString()).not.toContain(secret);
    // The same cookie again shows nothing, here or to somebody else.
    admin.cookies.set('svc_flash', flash);
    expect(await admin.takeFlash()).toBeUndefined();
    expect([kind, secret]).toEqual(['secret', expect.stringMatching(/^sk_[0-9a-f]{48}$/)]);
    const rows = await world.kernel.database.query<{ row: string }>(
      sql`select to_jsonb(k)::text as row from core_user_apikey k`,
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
    const [row] = await admin.rpc<Record<string, unknown>[]>('core.user.apikey', 'search', [[['name', '=', 'shop']]]);
    expect(row).toMatchObject({
      user_id: user.id,
      prefix: secret.slice(0, 11),
      active: true,
      scope: null,
      expires_at: null,
    });
    expect(world.log.join('')).not.toContain(secret);
  });

  it('AUTH-6 docs/agents.md lists every parameter of create_api_key', () => {
    const source = readFileSync(join(import.meta.dirname, '../routes/api-keys.ts'), 'utf8').replace(
      /'\/web\/action\/rotate_api_key'[\s\S]*?^ {2}\}\);/m,
      '',
    );
    const read = [...source.matchAll(/Field\(fields, '(\w+)'\)|\bfields\.(?!ts\b)(\w+)/g)].map(
      ([, by, named]) => by ?? named,
    );
    const page = readFileSync(join(import.meta.dirname, '../../../docs/agents.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name);
    expect(read).toContain('expires_at');
    expect([...read, 'csrf_token'].filter((name) => !documented.includes(name))).toEqual([]);
  });

  it('AUTH-6 only administrators make them, for somebody who exists, with a name', async () => {
    expect((await user.browser.form('/web/action/create_api_key', { name: 'mine' })).status).toBe(403);
    expect((await admin.form('/web/action/create_api_key', {})).status).toBe(422);
    expect((await admin.form('/web/action/create_api_key', { name: 'x', user_id: '999999' })).status).toBe(404);
    expect((await admin.form('/web/action/create_api_key', { name: 'x', user_id: 'me' })).status).toBe(400);
    expect((await admin.form('/web/action/create_api_key', { name: 'x', expires_at: 'soon' })).status).toBe(422);
    for (const scope of ['{', '[]', '7', '{"core.user": "read"}', '{"core.user": [1]}', '{"core.user": ["sudo"]}']) {
      expect([scope, (await admin.form('/web/action/create_api_key', { name: 'x', scope })).status]).toEqual([
        scope,
        422,
      ]);
    }
    expect(await admin.outcome('core.user.apikey', 'create', [{ name: 'x' }])).toBe('403 ACCESS_DENIED');
    const own = await admin.form('/web/action/create_api_key', { name: 'for myself' });
    expect(own.status).toBe(303);
    expect(await ask({ 'x-api-key': (await admin.takeFlash()).body })).toBe('OK');
  });
});

it('AUTH-7 none is made that could never be used: its end in the past, its owner archived, no method in its scope', async () => {
  const make = (fields: Record<string, string>) => admin.form('/web/action/create_api_key', { name: 'x', ...fields });
  expect((await make({ expires_at: '2020-01-01T00:00:00Z' })).status).toBe(422);
  for (const scope of ['{"core.partner": []}', '{"*": [], "core.user": {"methods": []}}']) {
    expect([scope, (await make({ scope })).status]).toEqual([scope, 422]);
  }
  const gone = await world.user('Gone Gil');
  await admin.rpc('core.user', 'write', [[gone.id], { active: false }]);
  expect((await make({ user_id: String(gone.id) })).status).toBe(422);
  for (const id of ['0x1', '1e0', '1.0', '+1']) expect([id, (await make({ user_id: id })).status]).toEqual([id, 400]);
});

describe('using keys', () => {
  it('AUTH-3 by X-API-Key or as a bearer, in the name of the owner, without a CSRF token', async () => {
    const key = await makeKey();
    const [before] = await world.kernel.database.query<{ now: string }>(sql`select now()::text as now`);
    for (const headers of [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { authorization: `bearer  ${key} ` },
    ]) {
      expect(await ask(headers as Record<string, string>)).toBe('OK');
    }
    const caller = Browser.withKey(world.url, key);
    expect(await caller.rpc('sys.session', 'search_read', [[], ['user_id']])).toEqual(
      expect.arrayContaining([{ id: expect.any(Number), user_id: user.id }]),
    );
    expect(await caller.outcome('sys.rule', 'search', [])).toBe('403 ACCESS_DENIED');
    const used = await admin.rpc('core.user.apikey', 'search', [
      [
        ['prefix', '=', key.slice(0, 11)],
        ['last_used_at', '>=', new Date(before?.now ?? '').toISOString()],
      ],
    ]);
    expect(used).toHaveLength(1);
  });

  it('AUTH-3 a request with a key is judged by the key alone', async () => {
    const key = await makeKey();
    const cookie = `svc_session=${admin.cookies.get('svc_session')}`;
    const session = { cookie, 'x-csrf-token': admin.csrf };
    expect(await ask(session)).toBe('OK');
    for (const wrong of [
      '',
      'sk_',
      'x',
      `sk_${'0'.repeat(48)}`,
      key.slice(0, -1),
      key.toUpperCase(),
      `${key} ${key}`,
    ]) {
      expect([wrong, await ask({ ...session, 'x-api-key': wrong })]).toEqual([wrong, '401 UNAUTHORIZED']);
      expect([wrong, await ask({ ...session, authorization: `Bearer ${wrong}` })]).toEqual([wrong, '401 UNAUTHORIZED']);
    }
    const rules = { model: 'sys.rule', method: 'search', args: [] };
    expect(await ask({ ...session, 'x-api-key': key }, rules)).toBe('403 ACCESS_DENIED');
    expect(await ask({ ...session, authorization: 'Basic YTpi' })).toBe('OK');
    expect(await ask({ authorization: 'Basic YTpi' })).toBe('401 UNAUTHORIZED');
    const page = await world.browser().get('/web/home', { 'x-api-key': key });
    expect(page.status).toBe(401);
  });

  it('AUTH-7 a scope names models and methods', async () => {
    const key = await makeKey({ scope: JSON.stringify({ 'core.user': ['search_read', 'read'], '*': ['search'] }) });
    const caller = Browser.withKey(world.url, key);
    expect(await caller.outcome('core.user', 'search_read', [[], ['name']])).toBe('OK');
    expect(await caller.outcome('core.user', 'search', [])).toBe('OK');
    expect(await caller.outcome('core.partner', 'search', [])).toBe('OK');
    for (const [model, method, args] of [
      ['core.partner', 'search_read', [[], ['name']]],
      ['core.partner', 'create', [{ name: 'x' }]],
      ['core.user', 'write', [[user.id], { name: 'x' }]],
      ['core.user', 'call', [user.id, 'action_change_password', {}]],
      ['sys.rule', 'search', []],
    ] as const) {
      expect([model, method, await caller.outcome(model, method, [...args])]).toEqual([
        model,
        method,
        '403 ACCESS_DENIED',
      ]);
    }
    expect((await caller.get('/metrics')).status).toBe(403);
    const { error } = await caller.call({ model: 'core.partner', method: 'create', args: [{ name: 'x' }] });
    expect(error?.details).toMatchObject({ model: 'core.partner', operation: 'create', layer: 'model' });
  });

  it('AUTH-7 an empty scope is none; names of prototypes are not in any', async () => {
    expect(await ask({ 'x-api-key': await makeKey({ scope: '{}' }) })).toBe('OK');
    const key = await makeKey({ scope: '{"core.partner": ["read"]}' });
    for (const model of ['__proto__', 'constructor', 'toString']) {
      expect(await Browser.withKey(world.url, key).outcome(model, 'read', [[1]])).toBe('404 MODEL_NOT_FOUND');
    }
  });

  it('AUTH-7 a key ends at its expiry, also in the middle of its use', async () => {
    const short = await makeKey({ expires_at: '2090-01-01T00:00:00Z' });
    expect(await ask({ 'x-api-key': short })).toBe('OK');
    await world.kernel.database.execute(sql`
      update core_user_apikey set expires_at = now() where prefix = ${short.slice(0, 11)}`);
    await expect.poll(() => ask({ 'x-api-key': short }), { timeout: 120_000 }).toBe('401 UNAUTHORIZED');
  });

  it('AUTH-7 a key ends with its deactivation, its deletion and its owner', async () => {
    const owner = await world.user('Brief Bo');
    const keys: string[] = [await makeKey({ user_id: String(owner.id), name: 'a' })];
    keys.push(
      await makeKey({ user_id: String(owner.id), name: 'b' }),
      await makeKey({ user_id: String(owner.id), name: 'c' }),
    );
    const [first, second, third] = keys as [string, string, string];
    for (const key of keys) expect(await ask({ 'x-api-key': key })).toBe('OK');
    const idOf = async (key: string) =>
      (
        await admin.rpc<{ id: number }[]>('core.user.apikey', 'search_read', [[['prefix', '=', key.slice(0, 11)]], []])
      )[0]?.id;
    await owner.browser.rpc('core.user.apikey', 'write', [[await idOf(first)], { active: false }]);
    expect(await ask({ 'x-api-key': first })).toBe('401 UNAUTHORIZED');
    await owner.browser.rpc('core.user.apikey', 'unlink', [[await idOf(second)]]);
    expect(await ask({ 'x-api-key': second })).toBe('401 UNAUTHORIZED');
    await admin.rpc('core.user', 'write', [[owner.id], { active: false }]);
    expect(await ask({ 'x-api-key': third })).toBe('401 UNAUTHORIZED');
  });

  it('AUTH-7 the owner can end a key but not make it last, and sees only their own', async () => {
    await makeKey({ name: 'lasting', expires_at: '2030-01-01T00:00:00Z' });
    const [row] = await user.browser.rpc<{ id: number }[]>('core.user.apikey', 'search_read', [
      [['name', '=', 'lasting']],
      [],
    ]);
    const write = (values: object) => user.browser.outcome('core.user.apikey', 'write', [[row?.id], values]);
    expect(await write({ name: 'renamed' })).toBe('OK');
    for (const values of [{ expires_at: null }, { scope: null }, { user_id: 1 }, { prefix: 'x' }, { key_hash: 'x' }]) {
      expect([values, await write(values)]).toEqual([values, '403 ACCESS_DENIED']);
    }
    expect(await write({ active: false })).toBe('OK');
    expect(await write({ active: true })).toBe('403 ACCESS_DENIED');
    const owners = await user.browser.rpc<{ user_id: number }[]>('core.user.apikey', 'search_read', [[], ['user_id']]);
    expect(new Set(owners.map(({ user_id }) => user_id))).toEqual(new Set([user.id]));
  });
});

describe('rotating keys', () => {
  const idOf = async (secret: string) =>
    (
      await rowOf<{ id: number }>(
        ['|', ['prefix', '=', secret.slice(0, 11)], ['old_prefix', '=', secret.slice(0, 11)]],
        [],
      )
    ).id;
  const rowOf = async <T>(domain: unknown, paths: readonly string[]): Promise<T> =>
    (await admin.rpc<T[]>('core.user.apikey', 'search_read', [domain, paths]))[0] as T;
  const rotate = async (browser: Browser, id: number, fields: Record<string, string> = {}) => {
    const { status } = await browser.form('/web/action/rotate_api_key', { id: String(id), ...fields });
    return status === 303 ? (await browser.takeFlash()).body : status;
  };
  const works = (secret: unknown) => ask({ 'x-api-key': String(secret) });
  const refused = '401 UNAUTHORIZED';

  it('KEY-7 the owner gets a new secret once, the old one goes on for a day, and the key stays what it is', async () => {
    const scope = { 'core.user': ['search_read'] };
    const old = await makeKey({ scope: JSON.stringify(scope), rate: '600', expires_at: '2090-01-01T00:00:00Z' });
    const id = await idOf(old);
    const before = Date.now();
    const fresh = await rotate(user.browser, id);
    expect(fresh).toMatch(/^sk_[0-9a-f]{48}$/);
    expect([await works(old), await works(fresh)]).toEqual(['OK', 'OK']);
    const [all] = await admin.rpc<Record<string, unknown>[]>('core.user.apikey', 'search', [[['id', '=', id]]]);
    expect(all).toMatchObject({ user_id: user.id, scope, rate: 600, expires_at: '2090-01-01T00:00:00.000Z' });
    expect(all).toMatchObject({ prefix: String(fresh).slice(0, 11), old_prefix: old.slice(0, 11) });
    const hours = (Date.parse(String(all?.old_expires_at)) - before) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    expect(JSON.stringify(all)).not.toMatch(/hash/);
    await world.kernel.database.execute(sql`update core_user_apikey set old_expires_at = now() where id = ${id}`);
    await expect.poll(() => works(old), { timeout: 120_000 }).toBe(refused);
    expect(await works(fresh)).toBe('OK');
  });

  it('KEY-7 another rotation ends the secret before the last, none at all ends it now, and none outlives the key', async () => {
    const first = await makeKey({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    const id = await idOf(first);
    const second = await rotate(admin, id, { overlap_hours: '48' });
    const { old_expires_at: oldEnds, expires_at: ends } = await rowOf<Record<string, string>>(
      [['id', '=', id]],
      ['old_expires_at', 'expires_at'],
    );
    expect(oldEnds).toBe(ends);
    const third = await rotate(admin, id);
    expect([await works(first), await works(second), await works(third)]).toEqual([refused, 'OK', 'OK']);
    const fourth = await rotate(admin, id, { overlap_hours: '0' });
    expect([await works(second), await works(third), await works(fourth)]).toEqual([refused, refused, 'OK']);
  });

  it('KEY-7 nobody else does, and no key that has ended', async () => {
    const id = await idOf(await makeKey());
    const other = await world.user('Other Otto');
    expect(await rotate(other.browser, id)).toBe(403);
    expect(await rotate(world.browser(), id)).toBe(302);
    for (const hours of ['-1', '721', '1.5', 'x']) expect(await rotate(admin, id, { overlap_hours: hours })).toBe(422);
    expect((await admin.form('/web/action/rotate_api_key', {})).status).toBe(400);
    const post = { id: String(id), csrf_token: 'wrong' };
    expect((await admin.form('/web/action/rotate_api_key', post)).status).toBe(403);
    await admin.rpc('core.user.apikey', 'write', [[id], { active: false }]);
    expect(await rotate(admin, id)).toBe(422);
  });

  it('KEY-7 the audit trail tells it without a secret, and it cannot be undone', async () => {
    const id = await idOf(await makeKey({ name: 'trailed' }));
    const fresh = String(await rotate(admin, id));
    await admin.rpc('sys.audit.check', 'create', [{}]);
    const entries = await admin.rpc<Record<string, unknown>[]>('sys.audit', 'search', [
      [
        ['model', '=', 'core.user.apikey'],
        ['res_id', '=', id],
        ['kind', '=', 'write'],
      ],
    ]);
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries)).toContain(fresh.slice(0, 11));
    expect(JSON.stringify(entries)).not.toMatch(/hash":\{|sk_[0-9a-f]{20}/);
    const set = entries[0]?.set_id;
    expect(await admin.outcome('sys.change.set', 'call', [set, 'action_revert'])).toMatch(/^4\d\d/);
    expect(await works(fresh)).toBe('OK');
  });

  it('KEY-8 the last use of each secret is told, and the old one can end before its time', async () => {
    const old = await makeKey();
    const id = await idOf(old);
    await works(old);
    const fresh = await rotate(user.browser, id);
    const uses = () => rowOf<Record<string, string | null>>([['id', '=', id]], ['last_used_at', 'old_last_used_at']);
    const atFirst = await uses();
    expect(atFirst).toMatchObject({ last_used_at: null, old_last_used_at: expect.any(String) });
    await world.kernel.database.execute(
      sql`update core_user_apikey set old_last_used_at = now() - interval '1 hour' where id = ${id}`,
    );
    world.kernel.ring();
    await works(fresh);
    expect((await uses()).last_used_at).not.toBeNull();
    await expect
      .poll(
        async () =>
          works(old)
            .then(uses)
            .then((row) => Date.now() - Date.parse(String(row.old_last_used_at))),
        {
          timeout: 120_000,
        },
      )
      .toBeLessThan(1_800_000);
    await user.browser.rpc('core.user.apikey', 'call', [id, 'action_end_old_secret']);
    expect([await works(old), await works(fresh)]).toEqual([refused, 'OK']);
    expect(await user.browser.outcome('core.user.apikey', 'call', [id, 'action_end_old_secret'])).toBe(
      '422 USER_ERROR',
    );
    expect(await user.browser.outcome('core.user.apikey', 'write', [[id], { rate: 9 }])).toBe('403 ACCESS_DENIED');
  });
});
