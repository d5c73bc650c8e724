import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let mail: MailServer;
let world: TestServer;
let admin: Browser;
let german: TestUser;
let french: TestUser;
beforeAll(async () => {
  mail = await startMailServer();
  world = await startTestServer({
    modules: ['contacts'],
    env: {
      KONTOR_SMTP_HOST: '127.0.0.1',
      KONTOR_SMTP_PORT: String(mail.port),
      KONTOR_SMTP_FROM: 'Kontor <kontor@example.com>',
      KONTOR_SMTP_TLS: 'none',
    },
  });
  admin = await world.signedIn();
  const groups = ['contacts.group_user'];
  german = await world.user('Greta German', groups, { lang: 'de_DE' });
  french = await world.user('Fanny French', groups, { lang: 'fr_FR', email: 'fanny@mail.example' });
});
afterAll(async () => {
  await world.close();
  await mail.close();
});

/** What a reader sees of a mail: its lines joined, and letters that were sent as `=C3=A9`. */
function readable(text: string): string {
  const joined = text.replaceAll(/=\r?\n/g, '');
  const bytes = joined.replaceAll(/(?:=[0-9A-F]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('=', ''), 'hex').toString(),
  );
  return bytes.replaceAll(/=\?UTF-8\?B\?([^?]*)\?=\s*/gi, (_, code: string) => Buffer.from(code, 'base64').toString());
}

it('TRL-4 what sys.field tells of a field is also told in the words of whoever asks', async () => {
  const domain = [
    ['model', '=', 'core.partner'],
    ['name', 'in', ['name', 'create_date', 'active']],
  ];
  const ask = (browser: Browser) =>
    browser.rpc<object[]>('sys.field', 'search_read', [domain, ['label', 'title']], { order: 'name' });
  expect(await ask(german.browser)).toMatchObject([
    { label: 'Active', title: 'Aktiv' },
    { label: 'Created on', title: 'Angelegt am' },
    { label: 'Name', title: 'Name' },
  ]);
  expect(await ask(admin)).toMatchObject([{ title: 'Active' }, { title: 'Created on' }, { title: 'Name' }]);
  const contact = (browser: Browser) =>
    browser.rpc<object[]>('sys.model', 'search_read', [[['name', '=', 'core.partner']], ['label', 'title']]);
  expect(await contact(german.browser)).toMatchObject([{ label: 'Contact', title: 'Kontakt' }]);
  expect(await contact(admin)).toMatchObject([{ title: 'Contact' }]);
});

describe('TRL-7 mail', () => {
  it('TRL-7 to a new user is in the language that was chosen for them', async () => {
    const values = { name: 'Inès', login: 'ines', email: 'ines@mail.example', lang: 'fr_FR' };
    await admin.rpc('core.user', 'create', [{ company_id: world.admin.companyId, ...values }]);
    const text = readable(await mail.mailTo('ines@mail.example'));
    expect(text).toContain('Bonjour Inès,');
    expect(text).toContain('Choisir un mot de passe');
    expect(text).toContain('lang="fr-FR"');
  });

  it('TRL-7 about an activity is in the language of whoever gets it, not of whoever gives it', async () => {
    const partner = await german.browser.rpc<number>('core.partner', 'create', [{ name: 'Möbelhaus' }]);
    const [type] = await german.browser.rpc<{ id: number }[]>('mail.activity.type', 'search_read', [[], ['id']]);
    await german.browser.rpc('mail.activity', 'create', [
      { name: 'Devis', type_id: type?.id, user_id: french.id, model: 'core.partner', res_id: partner },
    ]);
    const text = readable(await mail.mailTo('fanny@mail.example'));
    expect(text).toContain('Greta German vous a attribué une activité sur Möbelhaus');
    expect(text).toContain('Ouvrir Möbelhaus');
    const [told] = await french.browser.rpc<{ title: string }[]>('sys.notification', 'search_read', [[], ['title']]);
    expect(told?.title).toMatch(/ pour vous$/);
  });
});

describe('TRL-5 an error', () => {
  it('TRL-5 is told in the language of the caller, with the same code, fields and values', async () => {
    const refused = async (browser: Browser) => {
      const answer = await browser.json('/api/rpc', {
        model: 'core.partner',
        method: 'create',
        args: [{ name: 'x'.repeat(300) }],
      });
      return ((await answer.json()) as { error: { code: string; message: string; details: { fields: object } } }).error;
    };
    const [english, deutsch] = [await refused(admin), await refused(german.browser)];
    expect([english.code, deutsch.code]).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR']);
    expect(english.message).toMatch(/^Name: At most \d+ characters; this has 300\.$/);
    expect(deutsch.message).toMatch(/^Name: Höchstens \d+ Zeichen; das sind 300\.$/);
    expect(deutsch.details.fields).toEqual({
      name: [expect.stringMatching(/^Höchstens \d+ Zeichen; das sind 300\.$/)],
    });
    expect(Object.keys(deutsch.details)).toEqual(Object.keys(english.details));
  });
});

describe('TRL-8 pages before one signs in', () => {
  const heading = async (accept: string) => {
    const answer = await fetch(`${world.url}/web/forgot-password`, { headers: { 'accept-language': accept } });
    const page = await answer.text();
    return [/<html lang="([^"]*)"/.exec(page)?.[1], /<h1>([^<]*)/.exec(page)?.[1]];
  };

  it('TRL-8 are in the first language of the browser that there are words in', async () => {
    expect(await heading('de-AT,de;q=0.9')).toEqual(['de-AT', 'Passwort vergessen?']);
    expect(await heading('ja, fr;q=0.5, en;q=0.1')).toEqual(['fr', 'Mot de passe oublié ?']);
    expect(await heading('ja, en-GB;q=0.9, fr;q=0.5')).toEqual(['en-GB', 'Forgot your password?']);
    expect(await heading('*;q=nonsense,,"')).toEqual(['en-US', 'Forgot your password?']);
    expect(await heading('de;q=0')).toEqual(['en-US', 'Forgot your password?']);
  });

  it('TRL-8 an address that leads nowhere says so in it', async () => {
    const headers = { accept: 'text/html', 'accept-language': 'fr' };
    const page = await (await fetch(`${world.url}/nowhere`, { headers })).text();
    expect(page).toContain('<html lang="fr" dir="ltr">');
    expect(page).toMatch(/Cette page n.{1,8}existe pas\./);
  });
});
