import { ident, sql } from '@kontor/database';
import { stepOf } from '@kontor/parts';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer({ env: { KONTOR_FACTOR_KEY: 'a key that seals the secrets of factors' } });
  admin = await world.signedIn();
});
afterAll(() => world.close());

/** Codes are about the half minute that it is; the test decides which. */
let clock = Date.now();
const nextStep = () => {
  clock += 30_000;
  vi.setSystemTime(clock);
};
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: clock });
});
afterEach(() => {
  vi.useRealTimers();
});

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock + steps * 30_000 });

interface Enrolled extends TestUser {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

async function result<T>(answer: Promise<Response>): Promise<T> {
  const body = (await (await answer).json()) as { result: T; error: unknown };
  expect(body.error).toBeNull();
  return body.result;
}

async function outcome(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  return response.ok ? 'OK' : `${response.status} ${(await Browser.errorOf(response)).code}`;
}

interface Begun {
  readonly token: string;
  readonly secret: string;
  readonly uri: string;
  readonly picture: string;
}

async function enrolled(name: string): Promise<Enrolled> {
  const user = await world.user(name);
  const { token, secret } = await result<Begun>(
    user.browser.json('/web/user/factors/totp', { password: user.password }),
  );
  const { recoveryCodes } = await result<{ recoveryCodes: string[] }>(
    user.browser.json('/web/user/factors/totp/confirm', { token, code: codeOf(secret) }),
  );
  nextStep();
  return { ...user, secret, recoveryCodes };
}

/** A browser whose password was taken. */
async function halfway({ login, password }: TestUser): Promise<Browser> {
  const browser = world.browser();
  const { secondFactor } = await result<{ secondFactor: object }>(browser.json('/web/login', { login, password }));
  expect(secondFactor).toEqual({ methods: ['totp', 'recovery'] });
  return browser;
}

const sendCode = (browser: Browser, code: string) => browser.json('/web/login/factor', { code });

describe('an authenticator app', () => {
  it('FAC-1 the codes are those of RFC 6238', () => {
    const secret = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer }).base32;
    for (const [seconds, code] of [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_234_567_890, '005924'],
      [20_000_000_000, '353130'],
    ] as const) {
      expect(stepOf(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
      expect(stepOf(secret, code, (seconds + 30) * 1_000)).toBe(Math.floor(seconds / 30));
      expect(stepOf(secret, code, (seconds - 30) * 1_000)).toBe(Math.floor(seconds / 30));
      expect(stepOf(secret, code, (seconds + 60) * 1_000)).toBeNull();
    }
  });

  it('FAC-1 is set up with the password and a code of it, and drawn by this server', async () => {
    const { browser, password, login } = await world.user('Tina Totp');
    const begin = (given: string) => browser.json('/web/user/factors/totp', { password: given });
    expect(await outcome(begin('wrong'))).toBe('422 USER_ERROR');
    const { token, secret, uri, picture } = await result<Begun>(begin(password));
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(encodeURIComponent(login));
    expect(picture).toMatch(/^data:image\/svg\+xml;base64,/);
    const confirm = (code: string) => browser.json('/web/user/factors/totp/confirm', { token, code });
    expect(await outcome(confirm('000000'))).toBe('422 USER_ERROR');
    const { recoveryCodes } = await result<{ recoveryCodes: string[] }>(confirm(codeOf(secret)));
    expect(recoveryCodes).toHaveLength(10);
    expect(await outcome(confirm(codeOf(secret)))).toBe('422 USER_ERROR');
    const other = await world.user('Other Otto');
    expect(await outcome(other.browser.json('/web/user/factors/totp/confirm', { token, code: '1' }))).toBe(
      '422 USER_ERROR',
    );
  });

  it('FAC-2 is asked for after the password and never before it; a person without one signs in as ever', async () => {
    const user = await enrolled('Ada After');
    const wrong = await world.browser().json('/web/login', { login: user.login, password: 'wrong' });
    const nobody = await world.browser().json('/web/login', { login: 'no@example.com', password: 'wrong' });
    expect([wrong.status, await Browser.errorOf(wrong)]).toEqual([nobody.status, await Browser.errorOf(nobody)]);
    const browser = await halfway(user);
    expect(browser.cookies.has('svc_session')).toBe(false);
    expect((await browser.get('/web/home')).headers.get('location')).toContain('/web/login');
    const { csrfToken } = await result<{ csrfToken: string }>(sendCode(browser, codeOf(user.secret)));
    browser.csrf = csrfToken;
    expect(await browser.outcome('core.user', 'search')).toBe('OK');
    expect(browser.cookies.has('svc_sign_in')).toBe(false);
  });

  it('FAC-2 pages ask without a script, and lead on to next', async () => {
    const user = await enrolled('Paula Page');
    const browser = world.browser();
    const { login, password } = user;
    const first = await browser.form('/web/login', { login, password, next: '/web/profile' });
    expect([first.status, first.headers.get('location')]).toEqual([303, '/web/login/factor']);
    expect(await (await browser.get('/web/login/factor')).text()).toContain('autocomplete="one-time-code"');
    const wrong = await browser.form('/web/login/factor', { code: '000000' });
    expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('The code is incorrect.')]);
    const right = await browser.form('/web/login/factor', { code: ` ${codeOf(user.secret)} ` });
    expect([right.status, right.headers.get('location')]).toEqual([303, '/web/profile']);
    expect((await browser.get('/web/home')).status).toBe(200);
    const late = await world.browser().form('/web/login/factor', { code: codeOf(user.secret) });
    expect([late.status, late.headers.get('location')]).toEqual([303, '/web/login']);
  });

  it('FAC-3 a code is taken once, one step early or late, and none older than the last', async () => {
    const user = await enrolled('Rita Replay');
    const early = codeOf(user.secret, 1);
    expect(await outcome(sendCode(await halfway(user), codeOf(user.secret, 2)))).toBe('401 UNAUTHORIZED');
    expect(await outcome(sendCode(await halfway(user), early))).toBe('OK');
    expect(await outcome(sendCode(await halfway(user), early))).toBe('401 UNAUTHORIZED');
    expect(await outcome(sendCode(await halfway(user), codeOf(user.secret)))).toBe('401 UNAUTHORIZED');
    nextStep();
    nextStep();
    expect(await outcome(sendCode(await halfway(user), codeOf(user.secret, -1)))).toBe('401 UNAUTHORIZED');
    const [one, two] = [await halfway(user), await halfway(user)];
    const both = await Promise.all([one, two].map((each) => outcome(sendCode(each, codeOf(user.secret)))));
    expect(both.toSorted()).toEqual(['401 UNAUTHORIZED', 'OK']);
  });

  it('FAC-4 a recovery code lets in once, however it is typed; new ones end the old', async () => {
    const user = await enrolled('Lea Lost');
    const [first = '', second = ''] = user.recoveryCodes;
    expect(first).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    expect(await outcome(sendCode(await halfway(user), first.toUpperCase().replaceAll('-', ' ')))).toBe('OK');
    expect(await outcome(sendCode(await halfway(user), first))).toBe('401 UNAUTHORIZED');
    const { browser, password } = user;
    expect(await outcome(browser.json('/web/user/factors/recovery', { password: 'wrong' }))).toBe('422 USER_ERROR');
    const fresh = await result<{ recoveryCodes: string[] }>(browser.json('/web/user/factors/recovery', { password }));
    expect(await outcome(sendCode(await halfway(user), second))).toBe('401 UNAUTHORIZED');
    expect(await outcome(sendCode(await halfway(user), fresh.recoveryCodes[9] as string))).toBe('OK');
  });

  it('FAC-5 wrong codes count as wrong passwords do: five lock, also the password', async () => {
    const user = await enrolled('Gus Guess');
    const browser = await halfway(user);
    for (let at = 0; at < 5; at++) expect(await outcome(sendCode(browser, '000000'))).toBe('401 UNAUTHORIZED');
    expect(await outcome(sendCode(browser, codeOf(user.secret)))).toBe('401 UNAUTHORIZED');
    const { login, password } = user;
    expect(await outcome(world.browser().json('/web/login', { login, password }))).toBe('401 UNAUTHORIZED');
  });

  it('FAC-5 the right password between wrong codes takes none of them back', async () => {
    const user = await enrolled('Hal Half');
    for (let at = 0; at < 4; at++)
      expect(await outcome(sendCode(await halfway(user), '000000'))).toBe('401 UNAUTHORIZED');
    const last = await halfway(user);
    expect(await outcome(sendCode(last, '000000'))).toBe('401 UNAUTHORIZED');
    expect(await outcome(sendCode(last, codeOf(user.secret)))).toBe('401 UNAUTHORIZED');
  });

  it('FAC-6 its secret is sealed in the database and in no answer, log or change set', async () => {
    const { id, secret, browser, recoveryCodes } = await enrolled('Sue Secret');
    const { database } = world.kernel;
    for (const table of ['core_user_factor', 'core_user_recovery', 'sys_sign_in_step', 'sys_change', 'sys_audit']) {
      const rows = JSON.stringify(await database.query(sql`select to_jsonb(t)::text as row from ${ident(table)} t`));
      for (const told of [secret, ...recoveryCodes]) expect(rows).not.toContain(told);
    }
    expect(world.log.join()).not.toContain(secret);
    const mine = await browser.rpc<object[]>('core.user.factor', 'search_read', [[], []]);
    expect(mine).toHaveLength(1);
    expect(JSON.stringify(await browser.rpc('core.user.factor', 'read', [[1]]).catch(String))).not.toContain(
      'material',
    );
    expect(await admin.outcome('core.user.factor', 'search_read', [[], ['material']])).not.toBe('OK');
    expect(await browser.outcome('core.user.factor', 'create', [{ user_id: id, kind: 'totp', name: 'x' }])).toBe(
      '403 ACCESS_DENIED',
    );
    for (const caller of [browser, admin]) {
      const [factor] = await caller.rpc<{ id: number }[]>('core.user.factor', 'search_read', [
        [['user_id', '=', id]],
        [],
      ]);
      expect(await caller.outcome('core.user.factor', 'unlink', [[factor?.id]])).toBe('403 ACCESS_DENIED');
      expect(await caller.outcome('core.user.factor', 'write', [[factor?.id], { name: 'x' }])).toBe(
        '403 ACCESS_DENIED',
      );
    }
    expect(await browser.rpc('core.user.factor', 'search_read', [[['user_id', '!=', id]], []])).toEqual([]);
  });

  it('FAC-7 is turned off with the password by its owner alone, and its codes with it', async () => {
    const user = await enrolled('Olga Off');
    const other = await enrolled('Nick Nosy');
    const [factor] = await user.browser.rpc<{ id: number }[]>('core.user.factor', 'search_read', [[], []]);
    const remove = (by: TestUser, password: string) =>
      by.browser.json('/web/user/factors/remove', { id: factor?.id, password });
    expect(await outcome(remove(other, other.password))).toBe('404 NOT_FOUND');
    expect(await outcome(remove(user, 'wrong'))).toBe('422 USER_ERROR');
    user.browser.csrf = 'no';
    expect(await outcome(remove(user, user.password))).toBe('403 CSRF_INVALID');
    const again = await halfway(user);
    again.csrf = (await result<{ csrfToken: string }>(sendCode(again, codeOf(user.secret)))).csrfToken;
    expect(await outcome(remove({ ...user, browser: again }, user.password))).toBe('OK');
    await world.browser().signIn(user.login, user.password);
    const left = await world.kernel.database.query(sql`select id from core_user_recovery where user_id = ${user.id}`);
    expect(left).toEqual([]);
  });
});

describe('administrators', () => {
  it('FAC-8 reset the factors of a person; nobody else does', async () => {
    const user = await enrolled('Rosa Reset');
    expect(await user.browser.outcome('core.user', 'call', [user.id, 'action_reset_factors'])).toBe(
      '403 ACCESS_DENIED',
    );
    const waiting = await halfway(user);
    expect(await admin.outcome('core.user', 'call', [user.id, 'action_reset_factors'])).toBe('OK');
    expect(await outcome(sendCode(waiting, codeOf(user.secret)))).toBe('401 UNAUTHORIZED');
    await world.browser().signIn(user.login, user.password);
  });

  it('FAC-19 any change of a person’s factors ends every step in progress', async () => {
    const group = await world.work((env) =>
      env.sudo().model('core.group').create({ name: 'Strict', key: 'test.strict', requires_factor: true }),
    );
    const user = await world.user('Eva Enrol');
    const { login, password, browser } = user;
    await admin.rpc('core.user', 'write', [[user.id], { group_ids: [['link', group]] }]);
    // Somebody with the password waits at the page that sets a factor up; the owner is faster.
    const waiting = world.browser();
    expect((await waiting.form('/web/login', { login, password })).headers.get('location')).toBe('/web/login/enrol');
    const begin = () => result<Begun>(browser.json('/web/user/factors/totp', { password }));
    const [first, second] = [await begin(), await begin()];
    const confirm = ({ token, secret }: Begun) =>
      browser.json('/web/user/factors/totp/confirm', { token, code: codeOf(secret) });
    expect(await outcome(confirm(first))).toBe('OK');
    expect(await outcome(confirm(second))).toBe('422 USER_ERROR');
    expect((await waiting.get('/web/login/enrol')).headers.get('location')).toBe('/web/login');
    nextStep();
    const changes: (() => Promise<Response>)[] = [
      () => browser.json('/web/user/factors/recovery', { password }),
      async () => confirm(await begin()),
      async () => {
        const [factor] = await admin.rpc<{ id: number }[]>('core.user.factor', 'search_read', [
          [['user_id', '=', user.id]],
          ['id'],
        ]);
        return browser.json('/web/user/factors/remove', { id: factor?.id, password });
      },
    ];
    for (const change of changes) {
      const half = await halfway(user);
      expect(await outcome(change())).toBe('OK');
      expect((await half.get('/web/login/factor')).headers.get('location')).toBe('/web/login');
      nextStep();
    }
  });

  it('FAC-9 ask a group for two factors: its people set one up at their next sign-in and are not let in before', async () => {
    const group = await world.work((env) =>
      env.sudo().model('core.group').create({ name: 'Careful', key: 'test.careful', requires_factor: true }),
    );
    const implying = await world.work((env) =>
      env
        .sudo()
        .model('core.group')
        .create({ name: 'More careful', key: 'test.more', implied_ids: [['set', [group]]] }),
    );
    const { id, login, password } = await world.user('Cara Careful');
    await admin.rpc('core.user', 'write', [[id], { group_ids: [['link', implying]] }]);
    const browser = world.browser();
    const first = await browser.form('/web/login', { login, password, next: '/web/profile' });
    expect([first.status, first.headers.get('location')]).toEqual([303, '/web/login/enrol']);
    expect((await browser.get('/web/home')).status).toBe(302);
    const page = await (await browser.get('/web/login/enrol')).text();
    expect(page).toContain('data:image/svg+xml;base64,');
    const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1] ?? '').replaceAll(' ', '');
    expect((await browser.form('/web/login/enrol', { code: '000000' })).status).toBe(422);
    const done = await browser.form('/web/login/enrol', { code: codeOf(secret) });
    const shown = await done.text();
    expect([done.status, shown.match(/<li><code>/g)?.length]).toEqual([200, 10]);
    expect(shown).toContain('href="/web/profile"');
    expect((await browser.get('/web/home')).status).toBe(200);
    nextStep();
    const later = world.browser();
    await later.form('/web/login', { login, password });
    expect((await later.form('/web/login/factor', { code: codeOf(secret) })).status).toBe(303);
    expect(await outcome(world.browser().json('/web/login', { login, password }))).toBe('OK');
  });
});

it('FAC-10 the audit trail knows who signed in, how and from where, and who failed to', async () => {
  const user = await enrolled('Tracy Trail');
  const browser = await halfway(user);
  await sendCode(browser, '000000');
  await sendCode(browser, codeOf(user.secret));
  await world.browser().json('/web/login', { login: user.login, password: 'wrong' });
  const rows = await world.kernel.database.query<{
    kind: string;
    via: string | null;
    values: string;
    address: string;
  }>(sql`
    select kind, via, values::text as values, address from sys_audit where uid = ${user.id} order by id`);
  expect(rows.map(({ kind, values }) => [kind, (JSON.parse(values) as { method?: string }).method])).toEqual([
    ['sign_in', 'password'],
    ['sign_in_failed', 'code'],
    ['sign_in', 'password, totp'],
    ['sign_in_failed', 'password'],
  ]);
  expect(rows[2]).toMatchObject({
    via: expect.stringMatching(/^session \d+$/),
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
  });
  await admin.rpc('sys.audit.check', 'create', [{}]);
  const [made] = await world.kernel.database.query<{ who: string }>(sql`
    select who from sys_audit where model = 'core.user.factor' and kind = 'create' and uid = ${user.id}`);
  expect(made?.who).toContain('Tracy Trail');
});

it('FAC-10 names that nobody has are noted once a minute for an address, without what was typed', async () => {
  const typed = 'my secret password';
  for (let at = 0; at < 3; at++) await world.browser().json('/web/login', { login: `${typed} ${at}`, password: 'x' });
  const rows = await world.kernel.database.query<{ row: string }>(sql`
    select to_jsonb(a)::text as row from sys_audit a where kind = 'sign_in_failed' and uid is null`);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.row).not.toContain(typed);
});
