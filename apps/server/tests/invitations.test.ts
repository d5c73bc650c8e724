import { sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let mail: MailServer;
let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  mail = await startMailServer();
  world = await startTestServer({
    env: {
      KONTOR_SMTP_HOST: '127.0.0.1',
      KONTOR_SMTP_PORT: String(mail.port),
      KONTOR_SMTP_FROM: 'Kontor <kontor@example.com>',
      KONTOR_SMTP_TLS: 'none',
    },
  });
  admin = await world.signedIn();
});
afterAll(async () => {
  await world.close();
  await mail.close();
});

const create = (values: Record<string, unknown>) =>
  admin.rpc<number>('core.user', 'create', [{ company_id: world.admin.companyId, ...values }]);
const tokenIn = (text: string): string => /reset-password\?token=([0-9a-f]{64})/.exec(text)?.[1] ?? '';

describe('MAI-5 invitations', () => {
  it('MAI-5 a new user without a password is mailed a link that lasts a week, and signs in with it', async () => {
    const id = await create({ name: 'Ingrid', login: 'ingrid', email: 'ingrid@mail.example' });
    const text = await mail.mailTo('ingrid@mail.example');
    expect(text).toContain('Nordlicht Trading invites you to Kontor');
    expect(text).toContain('Your login is ingrid');
    expect(text).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/);
    const [row] = await world.kernel.database.query<{ hours: number }>(sql`
      select extract(epoch from expires_at - now())::float8 / 3600 as hours from sys_password_token where user_id = ${id}`);
    expect(row?.hours).toBeCloseTo(168, 0);
    const password = 'a brand new password';
    const chosen = await world.browser().form('/web/reset-password', { token: tokenIn(text), password });
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/web/login']);
    await world.browser().signIn('ingrid', password);
  });

  it('MAI-5 nobody who has a password or no address is mailed; the button invites again and says when it cannot', async () => {
    await create({ name: 'Has one', login: 'one', email: 'one@mail.example', password: 'a long enough password' });
    const silent = await create({ name: 'No address', login: 'silent' });
    const again = await create({ name: 'Twice', login: 'twice', email: 'twice@mail.example' });
    await mail.mailTo('twice@mail.example');
    await admin.rpc('core.user', 'call', [again, 'action_invite']);
    expect(tokenIn(await mail.mailTo('twice@mail.example', 2))).not.toBe('');
    expect(await admin.outcome('core.user', 'call', [silent, 'action_invite'])).toBe('422 USER_ERROR');
    expect(mail.mails.flatMap(({ to }) => to)).not.toContain('one@mail.example');
  });

  it('ADM-7 a login that is an address is the address, unless another one is given', async () => {
    const emailOf = async (values: Record<string, unknown>) => {
      const [row] = await admin.rpc<Record<string, unknown>[]>('core.user', 'read', [
        [await create(values)],
        ['email'],
      ]);
      return row?.email;
    };
    expect(await emailOf({ name: 'Lotte', login: 'lotte@mail.example' })).toBe('lotte@mail.example');
    expect(await mail.mailTo('lotte@mail.example')).toContain('invites you to Kontor');
    expect(await emailOf({ name: 'Moa', login: 'moa@mail.example', email: 'other@mail.example' })).toBe(
      'other@mail.example',
    );
    expect(await emailOf({ name: 'Nils', login: 'nils@mail.example', email: null })).toBeNull();
    expect(await emailOf({ name: 'Ole', login: 'ole' })).toBeNull();
    const answer = await admin.rpc('core.user', 'onchange', [{ login: 'pia@mail.example' }, ['login']]);
    expect(answer).toMatchObject({ value: { email: 'pia@mail.example' } });
  });

  it('ADM-7 who has no password gets an invitation for a week, by mail or on screen', async () => {
    const id = await create({ name: 'Quirin', login: 'quirin', email: 'quirin@mail.example' });
    await mail.mailTo('quirin@mail.example');
    await admin.form('/web/action/reset_password', { id: String(id) });
    expect(await admin.takeFlash()).toMatchObject({ kind: 'success', title: 'Invitation sent' });
    const text = await mail.mailTo('quirin@mail.example', 2);
    expect(text).toContain('Nordlicht Trading invites you to Kontor');
    const silent = await create({ name: 'Rune', login: 'rune' });
    await admin.form('/web/action/reset_password', { id: String(silent) });
    const { title, body } = await admin.takeFlash();
    expect(title).toBe('Rune has no e-mail address. This invitation for Rune is valid for 7 days');
    const password = 'a brand new password';
    await world.browser().form('/web/reset-password', { token: tokenIn(body), password });
    const [rune] = await admin.rpc<Record<string, unknown>[]>('core.user', 'read', [[silent], ['has_password']]);
    expect(rune?.has_password).toBe(true);
    await admin.form('/web/action/reset_password', { id: String(silent) });
    expect((await admin.takeFlash()).title).toContain('This link for Rune is valid for one hour');
  });
});
