import { sql } from '@kontor/database';
import { keepBaseAddress } from '@kontor/parts';
import { testAdmin } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let mail: MailServer;
let world: TestServer;
let plain: TestServer;
let admin: Browser;
beforeAll(async () => {
  mail = await startMailServer();
  const env = {
    KONTOR_SMTP_HOST: '127.0.0.1',
    KONTOR_SMTP_PORT: String(mail.port),
    KONTOR_SMTP_FROM: 'Kontor <kontor@example.com>',
    KONTOR_SMTP_TLS: 'none',
    KONTOR_TRUSTED_PROXIES: '127.0.0.1',
  };
  [world, plain] = await Promise.all([startTestServer({ env }), startTestServer()]);
  admin = await world.signedIn();
});
afterAll(async () => {
  await world.close();
  await plain.close();
  await mail.close();
});

const linkIn = (text: string): string =>
  /http:\/\/[^\s"<]+\/web\/reset-password\?token=[0-9a-f]{64}/.exec(text)?.[0] ?? '';
const tokenOf = (link: string): string => new URL(link).searchParams.get('token') as string;
const next = 'a brand new password';
const choose = (server: TestServer, token: string, password = next) =>
  server.browser().form('/web/reset-password', { token, password });
const person = (name: string): Promise<TestUser> =>
  world.user(name, ['base.group_user'], { email: `${name.toLowerCase()}@mail.example` });
const reset = (browser: Browser, id: number, more = {}) =>
  browser.form('/web/action/reset_password', { id: String(id), ...more });

describe('reset by an administrator', () => {
  it('AUTH-10 mails a link that works once and ends every session', async () => {
    const user = await person('Mia');
    const done = await reset(admin, user.id, { next: '/web/apps' });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/web/apps']);
    expect((await admin.takeFlash()).kind).toBe('success');
    const text = await mail.mailTo('mia@mail.example');
    const link = linkIn(text);
    expect(link.startsWith(world.url)).toBe(true);
    const page = await world.browser().get(new URL(link).pathname + new URL(link).search);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('name="password"')]);
    const short = await choose(world, tokenOf(link), 'short');
    expect([short.status, await short.text()]).toEqual([422, expect.stringContaining('8 to 128')]);
    const set = await choose(world, tokenOf(link));
    expect([set.status, set.headers.get('location')]).toEqual([303, '/web/login']);
    expect(await user.browser.outcome('core.user', 'search')).toBe('401 UNAUTHORIZED');
    await world.signedIn(user.login, next);
    expect((await choose(world, tokenOf(link), 'yet another password')).status).toBe(404);
    expect((await world.browser().get(`/web/reset-password?token=${tokenOf(link)}`)).status).toBe(404);
    const rows = await world.kernel.database.query(sql`select * from sys_password_token`);
    expect(JSON.stringify(rows)).not.toContain(tokenOf(link));
    expect(world.log.join('')).not.toContain(tokenOf(link));
  });

  it('AUTH-10 without mail the link is shown once, to the administrator', async () => {
    const boss = await plain.signedIn();
    const user = await plain.user('Nomail Nora');
    expect((await reset(boss, user.id)).status).toBe(303);
    const { kind, title, body } = await boss.takeFlash();
    expect(title).toBe('E-mail is not set up. This link for Nomail Nora is valid for one hour');
    expect([kind, linkIn(body)]).toEqual(['secret', body]);
    expect((await choose(plain, tokenOf(body))).status).toBe(303);
    await plain.signedIn(user.login, next);
  });

  it('AUTH-10 a person without an address is shown it as well; one that bounces is not told of in the log', async () => {
    const silent = await world.user('Silent Sue', ['base.group_user'], { email: null });
    await reset(admin, silent.id);
    expect(await admin.takeFlash()).toMatchObject({
      kind: 'secret',
      title: 'Silent Sue has no e-mail address. This link for Silent Sue is valid for one hour',
    });
    const bounced = await world.user('Bounced Bea', ['base.group_user'], { email: 'bounce@mail.example' });
    expect((await reset(admin, bounced.id)).status).toBe(303);
    await expect.poll(() => mail.refused, { timeout: 120_000 }).toContain('bounce@mail.example');
    expect(world.log.join('')).not.toContain('bounce@mail.example');
  });

  it('AUTH-10 is for administrators, and for people who exist', async () => {
    const user = await person('Ulf');
    expect((await reset(user.browser, 1)).status).toBe(403);
    expect((await reset(admin, 999_999)).status).toBe(404);
    expect((await admin.form('/web/action/reset_password', {})).status).toBe(400);
  });

  it('AUTH-10 a link lasts an hour, and a new one ends the one before', async () => {
    const user = await person('Otto');
    await reset(admin, user.id);
    const first = tokenOf(linkIn(await mail.mailTo('otto@mail.example')));
    await reset(admin, user.id);
    const second = tokenOf(linkIn(await mail.mailTo('otto@mail.example', 2)));
    expect((await choose(world, first)).status).toBe(404);
    await world.kernel.database.execute(sql`update sys_password_token set expires_at = now() - interval '1 second'`);
    expect((await choose(world, second)).status).toBe(404);
    for (const token of ['', 'x', "' or true --", 'a\0b', '0'.repeat(64)]) {
      expect((await choose(world, token)).status).toBe(404);
      expect((await world.browser().get(`/web/reset-password?token=${encodeURIComponent(token)}`)).status).toBe(404);
    }
  });

  it('AUTH-10 a link ends with any change of the password, and with the account', async () => {
    const user = await person('Lina');
    let mails = 0;
    const fresh = async () => {
      await reset(admin, user.id);
      return tokenOf(linkIn(await mail.mailTo('lina@mail.example', ++mails)));
    };
    const changed = await fresh();
    const vals = { old_password: user.password, new_password: 'another long password' };
    expect(await user.browser.outcome('core.user', 'call', [user.id, 'action_change_password', vals])).toBe('OK');
    expect((await choose(world, changed)).status).toBe(404);
    const written = await fresh();
    await admin.rpc('core.user', 'write', [[user.id], { password: 'set by the administrator' }]);
    expect((await choose(world, written)).status).toBe(404);
    const archived = await fresh();
    await admin.rpc('core.user', 'write', [[user.id], { active: false }]);
    await admin.rpc('core.user', 'write', [[user.id], { active: true }]);
    expect((await choose(world, archived)).status).toBe(404);
  });

  it('AUTH-10 no request says where the server is: links are mailed as configured, or not at all', async () => {
    const user = await person('Hosta');
    const elsewhere = { 'x-forwarded-host': 'evil.example' };
    const astray = world.browser();
    astray.headers = { ...elsewhere };
    await astray.signIn(testAdmin.email, testAdmin.password);
    await astray.form('/web/action/reset_password', { id: String(user.id) }, elsewhere);
    const link = linkIn(await mail.mailTo('hosta@mail.example'));
    expect(link.startsWith(`${world.url}/`)).toBe(true);
    await world.kernel.database.execute(sql`delete from sys_config_parameter where name = 'web.base_url'`);
    try {
      await reset(admin, user.id);
      expect(await admin.takeFlash()).toMatchObject({ kind: 'secret', title: expect.stringContaining('(base_url)') });
      const asking = world.browser();
      await asking.form('/web/forgot-password', { login: user.login }, { 'x-forwarded-for': '10.0.9.9' });
      const told = Buffer.from(asking.cookies.get('svc_flash') ?? '', 'base64url').toString();
      expect(JSON.parse(told)).toMatchObject({ kind: 'error', title: 'The e-mail could not be sent' });
      const silent = await world.user('Invited Ivo', ['base.group_user'], { email: 'ivo@mail.example' });
      const invite = await admin.call({ model: 'core.user', method: 'call', args: [silent.id, 'action_invite'] });
      expect(invite.error?.message).toContain('Set base_url.');
    } finally {
      await keepBaseAddress(world.kernel.database, world.url);
    }
  });

  it('AUTH-10 two at once use a link once', async () => {
    const user = await person('Zoe');
    await reset(admin, user.id);
    const token = tokenOf(linkIn(await mail.mailTo('zoe@mail.example')));
    const answers = await Promise.all([1, 2, 3].map((n) => choose(world, token, `password number ${n}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
  });

  it('AUTH-10 JSON callers get the envelope', async () => {
    const dead = await world.browser().json('/web/reset-password', { token: 'x', password: next });
    expect([dead.status, (await Browser.errorOf(dead)).code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('a forgotten password', () => {
  const forget = (login: string, headers: Record<string, string> = {}) =>
    world.browser().form('/web/forgot-password', { login }, headers);
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('AUTH-10 mails a link to the person, at the address that an administrator uses', async () => {
    const user = await person('Felix');
    const asked = await forget(` ${user.login.toUpperCase()} `, {
      'x-forwarded-host': 'evil.example',
      ...from('10.0.0.1'),
    });
    expect([asked.status, asked.headers.get('location')]).toEqual([303, '/web/login']);
    const link = linkIn(await mail.mailTo('felix@mail.example'));
    expect(link.startsWith(`${world.url}/`)).toBe(true);
    expect((await choose(world, tokenOf(link))).status).toBe(303);
    expect(await (await world.browser().get('/web/login')).text()).toContain('/web/forgot-password');
  });

  it('AUTH-10 answers the same whoever asks', async () => {
    const answer = async (login: string) => {
      const response = await forget(login, from('10.0.0.2'));
      const cookies = response.headers.getSetCookie();
      return [response.status, response.headers.get('location'), cookies, await response.text()];
    };
    const known = await answer(testAdmin.email);
    for (const login of ['nobody@example.com', '', 'a\0b', '%', 'x'.repeat(1_000)])
      expect(await answer(login)).toEqual(known);
  });

  long('AUTH-10 is throttled: one mail a minute for a person, a few for an address', async () => {
    const user = await person('Tom');
    for (let at = 0; at < 4; at++) await forget(user.login, from(`10.0.1.${at}`));
    await mail.mailTo('tom@mail.example');
    const many = await Promise.all(Array.from({ length: 8 }, (_, at) => person(`Many${at}`)));
    for (const { login } of many) await forget(login, from('10.0.2.1'));
    await forget((await person('Last')).login, from('10.0.2.2'));
    await mail.mailTo('last@mail.example');
    expect(mail.mails.filter(({ to }) => to.includes('tom@mail.example'))).toHaveLength(1);
    expect(mail.mails.filter(({ to }) => to[0]?.startsWith('many')).length).toBeLessThanOrEqual(5);
  });

  it('AUTH-10 is not there without mail, and not for other sites', async () => {
    expect((await plain.browser().get('/web/forgot-password')).status).toBe(404);
    expect(await (await plain.browser().get('/web/login')).text()).not.toContain('forgot');
    expect((await forget(testAdmin.email, { origin: 'http://evil.example' })).status).toBe(403);
    expect(
      (await world.browser().form('/web/reset-password', { token: 'x' }, { origin: 'http://evil.example' })).status,
    ).toBe(403);
  });

  it('AUTH-9 a new password by link ends a lockout', async () => {
    const user = await person('Locked');
    for (let at = 0; at < 5; at++) await world.browser().form('/web/login', { login: user.login, password: 'x' });
    await expect(world.signedIn(user.login, user.password)).rejects.toThrow('401');
    await reset(admin, user.id);
    await choose(world, tokenOf(linkIn(await mail.mailTo('locked@mail.example'))));
    await world.signedIn(user.login, next);
  });
});
