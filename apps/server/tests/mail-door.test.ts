import type { ChatterPayload } from '@kontor/protocol';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
let mailbox: number;
let key: string;
beforeAll(async () => {
  world = await startTestServer({ modules: ['crm'] });
  mailbox = await world.work((env) =>
    env.model('mail.mailbox').create({ name: 'Office', address: 'office@kontor.test' }),
  );
  key = await newKey(mailbox);
});
afterAll(() => world.close());

async function newKey(id: number): Promise<string> {
  const made = `mk_${id.toString(16).padStart(48, '0')}`;
  await world.work((env) => env.model('mail.mailbox').call([id], 'new_key', { key: made }));
  return made;
}
const message = (subject: string, body = 'Hello') =>
  Buffer.from(
    `From: Ada <ada@customer.test>\r\nTo: office@kontor.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@x>\r\n\r\n${body}`,
    'latin1',
  );
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
async function post(
  body: Buffer | FormData | URLSearchParams,
  headers: Record<string, string> = bearer(key),
  box = mailbox,
) {
  const type = Buffer.isBuffer(body) ? { 'content-type': 'message/rfc822' } : {};
  const response = await fetch(`${world.url}/mail/in/${box}`, {
    method: 'POST',
    headers: { accept: 'application/json', ...type, ...headers },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
  });
  return {
    status: response.status,
    body: (await response.json()) as { result: { id: number; duplicate: boolean }; error: { message: string } },
  };
}
const stored = (id: number) =>
  world.work(
    async (env) => (await env.sudo().model('mail.incoming').read([id], ['raw', 'mailbox_id', 'envelope_to']))[0],
  );

describe('INM-6 the HTTP door', () => {
  it('INM-6 takes an e-mail as it is, byte by byte, and the same one once', async () => {
    const raw = message('first', 'Gr\xfc\xdfe \xff\x00');
    const { status, body } = await post(raw);
    expect(status).toBe(202);
    const row = await stored(body.result.id);
    expect(Buffer.from(String(row?.raw), 'base64').equals(raw)).toBe(true);
    expect(await post(raw)).toMatchObject({ status: 200, body: { result: { id: body.result.id, duplicate: true } } });
  });

  it('INM-6 takes the forms of providers, with the recipient that they name', async () => {
    const sendgrid = new FormData();
    sendgrid.set('email', message('form').toString('latin1'));
    sendgrid.set('envelope', '{"to":["sales@kontor.test"],"from":"ada@customer.test"}');
    const first = await post(sendgrid);
    expect(first.status).toBe(202);
    expect(await stored(first.body.result.id)).toMatchObject({ envelope_to: 'sales@kontor.test' });
    const mailgun = new URLSearchParams({
      'body-mime': message('plain form').toString('latin1'),
      recipient: 'sales@kontor.test',
    });
    const second = await post(mailgun);
    expect(second.status).toBe(202);
    expect(await stored(second.body.result.id)).toMatchObject({ envelope_to: 'sales@kontor.test' });
  });

  it('INM-6 opens to the key of the mailbox alone: as a bearer token or the password of Basic', async () => {
    const other = await world.work((env) =>
      env.model('mail.mailbox').create({ name: 'Other', address: 'other@kontor.test' }),
    );
    const basic = { authorization: `Basic ${Buffer.from(`any:${key}`).toString('base64')}` };
    expect((await post(message('basic'), basic)).status).toBe(202);
    for (const headers of [{}, bearer('mk_wrong'), bearer(''), { authorization: key }, { 'x-api-key': key }]) {
      expect((await post(message('closed'), headers)).status).toBe(401);
    }
    // A mailbox without a key, and one with another.
    expect((await post(message('closed'), bearer(key), other)).status).toBe(401);
    const otherKey = await newKey(other);
    expect((await post(message('closed'), bearer(key), other)).status).toBe(401);
    expect((await post(message('closed'), bearer(otherKey))).status).toBe(401);
    expect((await post(message('closed'), bearer(key), 999_999)).status).toBe(401);
    await world.work((env) => env.model('mail.mailbox').write([other], { active: false }));
    expect((await post(message('closed'), bearer(otherKey), other)).status).toBe(401);
    expect(
      await world.work((env) =>
        env
          .sudo()
          .model('mail.incoming')
          .count([['mailbox_id', '=', other]]),
      ),
    ).toBe(0);
  });

  long('INM-6 refuses what is too large, before it is read for strangers, and what is no e-mail', async () => {
    const large = Buffer.concat([message('large'), Buffer.alloc(6_000_000, 'a')]);
    expect((await post(large)).status).toBe(202);
    expect((await post(large, {})).status).toBe(401);
    expect((await post(Buffer.concat([message('huge'), Buffer.alloc(25_200_000, 'a')]))).status).toBe(413);
    expect(await post(Buffer.from('{"no": "mail"}'))).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('not an e-mail') } },
    });
    expect((await post(new URLSearchParams({ text: 'no' }))).status).toBe(422);
    expect((await post(message('x'), { ...bearer(key), 'content-type': 'application/octet-stream' })).status).toBe(422);
  });

  it('INM-6 stores a hash of the key, and shows neither', async () => {
    const [row] = await world.work((env) =>
      env.sudo().model('mail.mailbox').read([mailbox], ['key_hash', 'reply_secret']),
    );
    expect(row?.key_hash).not.toContain(key);
    const admin = await world.signedIn();
    const shown = await admin.call({ model: 'mail.mailbox', method: 'read', args: [[mailbox]] });
    expect(JSON.stringify(shown)).not.toMatch(/key_hash|reply_secret|"password":/);
    const weak = world.work((env) => env.model('mail.mailbox').call([mailbox], 'new_key', { key: 'secret' }));
    await expect(weak).rejects.toThrow('Use the proposed key.');
  });
});

describe('INM-7 reading', () => {
  it('INM-7 whoever may read the record reads its e-mails in the chatter, with their sender; others do not', async () => {
    const seller = await world.user('Selma', ['crm.group_user']);
    const id = await world.work((env) =>
      env.sudo().model('crm.lead').create({ name: 'Lamps', user_id: seller.id, company_id: 1, team_id: null }),
    );
    const contact = await world.work((env) =>
      env.model('core.partner').create({ name: 'Ada', email: 'ada@customer.test' }),
    );
    await world.work((env) =>
      env
        .sudo()
        .model('mail.message')
        .create({
          ...{
            model: 'crm.lead',
            res_id: id,
            kind: 'email',
            mark: 'auto',
            subject: 'Re: Lamps',
            body: '<p>Hi<img src=x></p>',
          },
          ...{ folded: '<p>Old</p>', sender_name: 'Ada', sender_email: 'ada@customer.test', partner_id: contact },
        }),
    );
    const chatter = async (browser: { get(path: string): Promise<Response> }) => {
      const response = await browser.get(`/web/wc/chatter?model=crm.lead&id=${id}`);
      return { status: response.status, page: (await response.json()) as ChatterPayload };
    };
    expect((await chatter(seller.browser)).page.messages[0]).toMatchObject({
      ...{ kind: 'email', author: { id: 0, name: 'Ada' }, body: '<p>Hi</p>' },
      mail: {
        subject: 'Re: Lamps',
        address: 'ada@customer.test',
        folded: '<p>Old</p>',
        mark: 'auto',
        contactId: contact,
      },
    });
    const stranger = await world.user('Stan', ['crm.group_user']);
    expect((await chatter(stranger.browser)).status).toBe(403);
  });

  it('INM-7 the original of an unsorted e-mail is for its group', async () => {
    const { body } = await post(message('original'));
    const clerk = await world.user('Clara', ['mail.group_inbox']);
    const path = `/web/mail/incoming/${body.result.id}.eml`;
    const response = await clerk.browser.get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(await response.text()).toContain('Subject: original');
    const seller = await world.user('Sven', ['crm.group_user']);
    expect((await seller.browser.get(path)).status).toBe(403);
  });
});
