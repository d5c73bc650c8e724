import { sql } from '@kontor/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { testAddons } from './shop.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const model = 'parcel.parcel';
let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer({
    addonsPath: [testAddons],
    modules: ['parcels'],
    env: { KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: '9', KONTOR_SMTP_FROM: 'kontor@example.com' },
  });
  admin = await world.signedIn();
});
afterAll(() => world.close());

const queued = () =>
  world.kernel.database.query<{ body_text: string; body_html: string }>(
    sql`select body_text, body_html from mail_queue order by id`,
  );

it('FAC-11 FAC-12 each is told in the way that they chose, and mails carry the signature of who writes', async () => {
  const { browser, id: uid } = await world.user('Wanda', ['parcels.group_packer'], { email: 'wanda@example.com' });
  const id = await world.work((env) => env.model(model).create({ name: 'Box 8' }));
  const choose = async (way: string) => {
    const value = { 'mail.mention': way };
    const [known] = await browser.rpc<{ id: number }[]>('sys.user.setting', 'search_read', [
      [['key', '=', 'notices']],
      [],
    ]);
    if (known) await browser.rpc('sys.user.setting', 'write', [[known.id], { value }]);
    else await browser.rpc('sys.user.setting', 'create', [{ key: 'notices', value }]);
  };
  await admin.rpc('core.user', 'write', [[world.admin.uid], { signature: 'Ada Lindqvist\nHead of <parcels>' }]);
  const told = async (way: string | null) => {
    if (way !== null) await choose(way);
    const before = (await queued()).length;
    await admin.json('/web/chatter/post', { model, id, body: `@[Wanda](user:${uid}) ${way}` });
    const kept = await browser.rpc<unknown[]>('sys.notification', 'search', [[]]);
    return { notices: kept.length, mails: (await queued()).length - before };
  };
  expect(await told(null)).toEqual({ notices: 1, mails: 1 });
  expect(await told('client')).toMatchObject({ notices: 2, mails: 0 });
  expect(await told('mail')).toMatchObject({ notices: 2, mails: 1 });
  expect(await told('none')).toMatchObject({ notices: 2, mails: 0 });
  expect(await told('nonsense')).toMatchObject({ notices: 3, mails: 1 });
  const mail = (await queued()).at(-1);
  expect(mail?.body_text).toContain('-- \nAda Lindqvist\nHead of <parcels>');
  expect(mail?.body_html).toContain('Ada Lindqvist<br>Head of &lt;parcels&gt;');
  await admin.rpc('core.user', 'write', [[world.admin.uid], { signature: null }]);
});
