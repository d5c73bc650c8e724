import { createHmac } from 'node:crypto';
import { typedEnv } from '@kontor/orm';
import { unsubscribeLink } from '@kontor/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let world: TestServer;
let tom: TestUser;
let lead: number;
let contact: number;
beforeAll(async () => {
  world = await startTestServer({ modules: ['crm'] });
  tom = await world.user('Tom', ['base.group_user', 'crm.group_user']);
  lead = await world.work((env) => env.model('crm.lead').create({ name: 'Terrace', user_id: tom.id }));
  contact = await world.work((env) =>
    env.model('core.partner').create({ name: 'Vera', email: 'vera@customer.test', lang: 'de_DE' }),
  );
  await world.work((env) =>
    env.sudo().model('mail.follow').create({ user_id: null, partner_id: contact, model: 'crm.lead', res_id: lead }),
  );
});
afterAll(() => world.close());

const pathOf = (scope: readonly (string | number)[]) =>
  world.work(async (env) => new URL((await unsubscribeLink(typedEnv(env), scope)) as string).pathname);
const open = async (path: string, form?: string) => {
  const response = await fetch(`${world.url}${path}`, {
    ...(form === undefined
      ? {}
      : { method: 'POST', body: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const oneClick = 'List-Unsubscribe=One-Click';
const follows = (domain: readonly unknown[]) =>
  world.work((env) =>
    env
      .sudo()
      .model('mail.follow')
      .searchRead(domain as never, ['is_on', 'hears']),
  );
const ofContact = () => follows([['partner_id', '=', contact]]);
const ofTom = () => follows([['user_id', '=', tom.id]]);

describe('FOL-8 links that end e-mails', () => {
  it('FOL-8 opening one changes nothing; a mail program ends it with one post, without signing in', async () => {
    const path = await pathOf(['contact', contact, 'crm.lead', lead]);
    const asked = await open(path);
    expect(asked.status).toBe(200);
    expect(asked.text).toContain('Keine Kopien dieser Nachrichten mehr bekommen?');
    expect(asked.headers.get('cache-control')).toBe('private, no-store');
    expect(asked.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await ofContact()).toMatchObject([{ is_on: true }]);
    const ended = await open(path, oneClick);
    expect(ended.status).toBe(200);
    expect(ended.text).toContain('Sie bekommen keine Kopien dieser Nachrichten mehr.');
    expect(ended.text).toContain('value="resume"');
    expect(await ofContact()).toMatchObject([{ is_on: false }]);
    expect((await open(path, oneClick)).status).toBe(200);
    expect((await open(path, 'do=resume')).text).toContain('Sie bekommen diese E-Mails wieder.');
    expect(await ofContact()).toMatchObject([{ is_on: true }]);
  });

  it('FOL-8 one who unsubscribed is not added again, and one who was removed does not come back by an old link', async () => {
    const path = await pathOf(['contact', contact, 'crm.lead', lead]);
    await open(path, oneClick);
    const admin = await world.signedIn();
    const change = (what: string) =>
      admin.json('/web/chatter/followers', { model: 'crm.lead', id: lead, do: what, contact });
    const refused = (await (await change('add')).json()) as { error: { message: string } };
    expect(refused.error.message).toBe('Vera has unsubscribed from this record.');
    expect((await change('remove')).status).toBe(200);
    expect((await open(path, 'do=resume')).text).toContain('Das lässt sich nicht mehr zurücknehmen.');
    expect(await ofContact()).toEqual([]);
  });

  it('FOL-8 users end what they hear of a record, or one kind of notification by mail, and take it back', async () => {
    const record = await pathOf(['record', tom.id, 'crm.lead', lead]);
    await open(record, oneClick);
    expect(await ofTom()).toMatchObject([{ hears: 'none' }]);
    await open(record, 'do=resume');
    expect(await ofTom()).toMatchObject([{ is_on: true, hears: null }]);
    const kind = await pathOf(['notice', tom.id, 'mail.mention', 'both']);
    const ways = () =>
      world.work(async (env) => {
        const domain = [['user_id', '=', tom.id] as const, ['key', '=', 'notices'] as const];
        return (
          await env
            .sudo()
            .model('sys.user.setting')
            .searchRead([...domain], ['value'])
        )[0]?.value;
      });
    await open(kind, oneClick);
    expect(await ways()).toEqual({ 'mail.mention': 'client' });
    await open(kind, 'do=resume');
    expect(await ways()).toEqual({ 'mail.mention': 'both' });
  });

  it('FOL-8 a link that leads nowhere answers in the first translated language that the browser accepts', async () => {
    const accepted = { 'accept-language': 'xx,de-AT;q=0.9,fr;q=0.8' };
    const answer = await world.browser().fetch('/mail/unsubscribe/nothing', { headers: accepted });
    expect(await answer.text()).toMatch(/<html lang="de-AT"[\s\S]*Dieser Link ist ungültig/);
  });

  it('FOL-8 a link that was made up or changed ends nothing, and every one of them is answered alike', async () => {
    const path = await pathOf(['record', tom.id, 'crm.lead', lead]);
    const [content, mac] = (path.split('/').at(-1) as string).split('.') as [string, string];
    const other = Buffer.from(JSON.stringify(['record', 1, 'crm.lead', lead])).toString('base64url');
    const own = createHmac('sha256', 'guess').update(content).digest('base64url').slice(0, 22);
    const gone = await pathOf(['record', 999_999, 'crm.lead', lead]);
    const strange = await pathOf(['library', 1, 'x']);
    const before = await ofTom();
    const wrong = [
      ...[`${other}.${mac}`, `${content}.${own}`, `${content}.${mac}x`, content, '.', 'sale', '%00', 'a'.repeat(150)],
    ].map((token) => `/mail/unsubscribe/${token}`);
    for (const each of [...wrong, gone, strange]) {
      for (const form of [undefined, oneClick, 'do=resume']) {
        const { status, text } = await open(each, form);
        expect([each, status]).toEqual([each, 404]);
        if (each !== '/mail/unsubscribe/%00') expect(text).toContain('This link is not valid.');
      }
    }
    expect(await ofTom()).toEqual(before);
    expect(await follows([['user_id', '=', 1]])).toEqual([]);
  });
});
