import { sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer({ env: { KONTOR_SESSION_IDLE_MINUTES: '1', KONTOR_SESSION_MAX_DAYS: '2' } });
  admin = await world.signedIn();
});
afterAll(() => world.close());

const age = (user: number, column: 'last_seen_at' | 'started_at', seconds: number) =>
  world.kernel.database.execute(
    column === 'started_at'
      ? sql`update sys_session set started_at = now() - make_interval(secs => ${seconds}::float8) where user_id = ${user}`
      : sql`update sys_session set last_seen_at = now() - make_interval(secs => ${seconds}::float8) where user_id = ${user}`,
  );
const ask = (browser: Browser) => browser.outcome('core.user', 'search', [[['id', '=', 1]]]);

describe('sessions', () => {
  it('AUTH-8 slide with each request, however short the limit', async () => {
    const { id, browser } = await world.user('Sliding Sia');
    for (let round = 0; round < 3; round++) {
      await age(id, 'last_seen_at', 40);
      expect(await ask(browser)).toBe('OK');
    }
    await age(id, 'last_seen_at', 61);
    expect(await ask(browser)).toBe('401 UNAUTHORIZED');
    expect(await ask(browser)).toBe('401 UNAUTHORIZED');
  });

  it('AUTH-8 are touched now and then, not by every request', async () => {
    const { id, browser } = await world.user('Quiet Quinn');
    const seen = async () =>
      (
        await world.kernel.database.query<{ at: string }>(
          sql`select last_seen_at::text as at from sys_session where user_id = ${id}`,
        )
      )[0]?.at;
    const before = await seen();
    await ask(browser);
    expect(await seen()).toBe(before);
    await age(id, 'last_seen_at', 30);
    const old = await seen();
    await ask(browser);
    expect(await seen()).not.toBe(old);
  });

  it('AUTH-8 end at the absolute limit, active or not', async () => {
    const { id, browser } = await world.user('Long Lara');
    await age(id, 'started_at', 2 * 86_400 - 60);
    expect(await ask(browser)).toBe('OK');
    await age(id, 'started_at', 2 * 86_400 + 1);
    expect(await ask(browser)).toBe('401 UNAUTHORIZED');
  });

  it('AUTH-8 end with a password that an administrator sets, and with deactivation; coming back brings none back', async () => {
    const { id, browser, login } = await world.user('Ended Emil');
    await admin.rpc('core.user', 'write', [[id], { password: 'something else entirely' }]);
    expect(await ask(browser)).toBe('401 UNAUTHORIZED');
    const again = await world.signedIn(login, 'something else entirely');
    expect(await ask(again)).toBe('OK');
    await admin.rpc('core.user', 'call', [id, 'action_archive']);
    expect(await ask(again)).toBe('401 UNAUTHORIZED');
    await admin.rpc('core.user', 'call', [id, 'action_unarchive']);
    expect(await ask(again)).toBe('401 UNAUTHORIZED');
    expect(await ask(await world.signedIn(login, 'something else entirely'))).toBe('OK');
  });

  it('AUTH-8 end with their user', async () => {
    const { id, browser } = await world.user('Deleted Dora');
    await admin.rpc('core.user', 'unlink', [[id]]);
    expect(await ask(browser)).toBe('401 UNAUTHORIZED');
  });

  it('AUTH-8 changes of rights count from the next request on', async () => {
    const { id, browser } = await world.user('Rising Rosa');
    expect(await browser.outcome('sys.rule', 'search', [])).toBe('403 ACCESS_DENIED');
    const system = await world.work((env) => env.ref('base.group_system'));
    await admin.rpc('core.user', 'write', [[id], { group_ids: [['link', system]] }]);
    expect(await browser.outcome('sys.rule', 'search', [])).toBe('OK');
    await admin.rpc('core.user', 'write', [[id], { group_ids: [['unlink', system]] }]);
    expect(await browser.outcome('sys.rule', 'search', [])).toBe('403 ACCESS_DENIED');
  });
});
