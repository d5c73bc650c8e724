import { sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let world: TestServer;
let admin: Browser;
let user: TestUser;
let portal: TestUser;
beforeAll(async () => {
  world = await startTestServer();
  admin = await world.signedIn();
  user = await world.user('User Una');
  portal = await world.user('Portal Pia', ['base.group_portal']);
});
afterAll(() => world.close());

const denied = '403 ACCESS_DENIED';
const groupId = (key: string) => world.work((env) => env.ref(key));

describe('people and themselves', () => {
  it('ACC-8 change their own name, e-mail, language, time zone and image', async () => {
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const values = {
      name: 'Una Updated',
      email: 'una@example.com',
      lang: 'en_US',
      tz: 'Europe/Berlin',
      image: dot,
      signature: 'Una',
    };
    for (const { id, browser } of [user, portal]) {
      expect(await browser.outcome('core.user', 'write', [[id], values])).toBe('OK');
      expect(await browser.rpc('core.user', 'read', [[id], ['name', 'tz']])).toEqual([
        { id, name: 'Una Updated', tz: 'Europe/Berlin' },
      ]);
    }
  });

  it('ACC-8 never their groups, companies, login, state or password', async () => {
    const system = await groupId('base.group_system');
    for (const values of [
      { group_ids: [['link', system]] },
      { company_ids: [['clear']] },
      { company_id: 1 },
      { login: 'root@example.com' },
      { active: false },
      { password: 'another long password' },
      { pinned_apps: ['base'] },
      { name: 'Una', group_ids: [['set', [system]]] },
    ]) {
      for (const { id, browser } of [user, portal]) {
        expect([values, await browser.outcome('core.user', 'write', [[id], values])]).toEqual([values, denied]);
      }
    }
    expect(await user.browser.outcome('core.group', 'write', [[system], { user_ids: [['link', user.id]] }])).toBe(
      denied,
    );
    expect(await user.browser.outcome('core.user', 'create', [{ name: 'x', login: 'x' }])).toBe(denied);
    expect(await user.browser.outcome('core.user', 'call', [user.id, 'action_copy'])).toBe(denied);
    expect(await user.browser.outcome('core.user', 'call', [user.id, 'action_archive'])).toBe(denied);
  });

  it('ACC-8 nobody else', async () => {
    expect(await user.browser.outcome('core.user', 'write', [[1], { name: 'Eve' }])).toBe(denied);
    expect(await user.browser.outcome('core.user', 'write', [[user.id, 1], { name: 'Eve' }])).toBe(denied);
    expect(await user.browser.outcome('core.user', 'unlink', [[user.id]])).toBe(denied);
    expect(await portal.browser.outcome('core.user', 'read', [[1], ['login']])).toBe(denied);
    expect(await portal.browser.rpc('core.user', 'search_read', [[], []])).toEqual([{ id: portal.id }]);
  });

  it('ACC-8 their password with the old one, which ends their sessions', async () => {
    const { id, login, password } = await world.user('Paula Password');
    const [one, two] = [await world.signedIn(login, password), await world.signedIn(login, password)];
    const change = (browser: Browser, vals: object, target = id) =>
      browser.outcome('core.user', 'call', [target, 'action_change_password', vals]);
    const next = 'a new long password';
    expect(await change(one, { old_password: 'wrong', new_password: next })).toBe('422 USER_ERROR');
    expect(await change(one, { new_password: next })).toBe('422 USER_ERROR');
    expect(await change(one, { old_password: password, new_password: 'short' })).toBe('422 VALIDATION_ERROR');
    expect(await change(user.browser, { old_password: password, new_password: next })).toBe(denied);
    expect(await change(admin, { old_password: password, new_password: next })).toBe(denied);
    expect(await change(one, { old_password: password, new_password: next })).toBe('OK');
    expect(await two.outcome('core.user', 'search', [])).toBe('401 UNAUTHORIZED');
    await expect(world.signedIn(login, password)).rejects.toThrow('401');
    expect(await (await world.signedIn(login, next)).outcome('core.user', 'search', [])).toBe('OK');
  });

  it('AUTH-15 the old password is guessed no more often than at the login, and counts with it', async () => {
    const { id, login, password, browser } = await world.user('Gus Guessed');
    const change = (old: string, kwargs = {}) =>
      browser.outcome(
        'core.user',
        'call',
        [id, 'action_change_password', { old_password: old, new_password: 'one more long password' }],
        kwargs,
      );
    const message = async (old: string) =>
      (
        await browser.call({
          model: 'core.user',
          method: 'call',
          args: [id, 'action_change_password', { old_password: old, new_password: 'one more long password' }],
        })
      ).error?.message;
    expect(await change(password, { dry_run: true })).toBe('422 USER_ERROR');
    for (let at = 0; at < 4; at++) expect(await message(`wrong ${at}`)).toBe('The old password is incorrect.');
    // Of several at once no more pass than are left.
    const rest = await Promise.all(['a', 'b', 'c', 'd'].map(message));
    expect(rest.filter((said) => said === 'The old password is incorrect.')).toHaveLength(1);
    expect(await message(password)).toBe('Too many wrong passwords. Try again in 15 minutes.');
    await expect(world.signedIn(login, password)).rejects.toThrow('401');
  });

  it('AUTH-15 a right old password takes the count back, and a refusal is not kept under an Idempotency-Key', async () => {
    const { id, password, browser } = await world.user('Rita Right');
    const change = (old: string) =>
      browser.call(
        {
          model: 'core.user',
          method: 'call',
          args: [id, 'action_change_password', { old_password: old, new_password: password }],
        },
        { 'idempotency-key': `change ${old.length}`.replaceAll(' ', '-') },
      );
    expect([(await change('wrong')).status, (await change('wrong')).status]).toEqual([422, 422]);
    expect((await change(password)).status).toBe(200);
    const left = await world.kernel.database.query(sql`
      select 1 as x from sys_login_attempt where login = 'rita.right@example.com'`);
    expect(left).toEqual([]);
  });

  it('AUTH-16 common passwords and the name of the company are refused, by whatever way one is set', async () => {
    const admin = await world.signedIn();
    const [company] = await admin.rpc<{ name: string }[]>('core.company', 'search_read', [[], ['name']]);
    const { id, password, browser } = await world.user('Wendy Weak');
    const name = company?.name ?? '';
    const weak = ['12345678', '87654321', '11111111', '12121212', 'Password1!', 'PASSW0RD', 'qwertz123', 'Sommer2026!'];
    for (const next of [...weak, name, `${name.toLowerCase().replaceAll(' ', '')}2026!`]) {
      const asked = { old_password: password, new_password: next };
      expect([next, await browser.outcome('core.user', 'call', [id, 'action_change_password', asked])]).toEqual([
        next,
        '422 VALIDATION_ERROR',
      ]);
      expect(await admin.outcome('core.user', 'write', [[id], { password: next }])).toBe('422 VALIDATION_ERROR');
    }
    for (const fine of ['a horse on a roof', 'Zq7!mmkd', '20351122x']) {
      expect(await admin.outcome('core.user', 'write', [[id], { password: fine }])).toBe('OK');
    }
  });

  it('ACC-8 see and end their own sessions, everywhere at once', async () => {
    const { login, password } = await world.user('Sessions Sara');
    const [one, two] = [await world.signedIn(login, password), await world.signedIn(login, password)];
    const sessions = await one.rpc<{ id: number }[]>('sys.session', 'search_read', [[], ['user_id']]);
    expect(sessions.length).toBe(3);
    expect(await user.browser.outcome('sys.session', 'unlink', [sessions.map(({ id }) => id)])).toBe(denied);
    expect(await one.outcome('sys.session', 'unlink', [sessions.map(({ id }) => id)])).toBe('OK');
    for (const browser of [one, two]) expect(await browser.outcome('core.user', 'search', [])).toBe('401 UNAUTHORIZED');
  });
});

describe('the last administrator', () => {
  it('ACC-9 cannot be archived, removed from the group, or deleted, by any way', async () => {
    const system = await groupId('base.group_system');
    const member = await groupId('base.group_user');
    for (const [model, method, args] of [
      ['core.user', 'write', [[1], { active: false }]],
      ['core.user', 'call', [1, 'action_archive']],
      ['core.user', 'write', [[1], { group_ids: [['unlink', system]] }]],
      ['core.user', 'write', [[1], { group_ids: [['set', [member]]] }]],
      ['core.user', 'write', [[1], { group_ids: [['clear']] }]],
      ['core.group', 'write', [[system], { user_ids: [['unlink', 1]] }]],
      ['core.group', 'write', [[system], { user_ids: [['clear']] }]],
    ] as const) {
      const outcome = await admin.outcome(model, method, [...args]);
      expect([method, args, outcome]).toEqual([method, args, '422 USER_ERROR']);
    }
    for (const [model, id] of [
      ['core.user', 1],
      ['core.group', system],
    ] as const) {
      expect(await admin.outcome(model, 'unlink', [[id]])).toMatch(/^422 /);
    }
    expect(await admin.outcome('core.user', 'search', [])).toBe('OK');
  });

  it('ACC-9 of two either may go, but not both at once', async () => {
    const second = await world.user('Second Admin', ['base.group_system']);
    const outcomes = await Promise.all([
      admin.outcome('core.user', 'write', [[second.id], { active: false }]),
      second.browser.outcome('core.user', 'write', [[1], { active: false }]),
    ]);
    expect(outcomes.filter((outcome) => outcome === 'OK')).toHaveLength(1);
    const { result } = await world.kernel.transact(world.admin, (env) =>
      env
        .sudo()
        .model('core.user')
        .search([
          ['active', '=', true],
          ['group_ids.key', '=', 'base.group_system'],
        ]),
    );
    expect(result).toHaveLength(1);
  });
});
