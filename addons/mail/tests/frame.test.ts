import { sql } from '@kontor/database';
import { type Actor, typedEnv } from '@kontor/orm';
import { startMail } from '@kontor/parts';
import { startMailServer, type TestMailServer } from '@kontor/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { postComment } from '../chatter/post-message.ts';
import { sendMessage } from '../chatter/send-message.ts';
import { type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

/** A red pixel. */
const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

let server: TestMailServer;
let world: MailboxWorld;
let ada: Actor;
beforeAll(async () => {
  server = await startMailServer();
  world = await mailboxWorld({
    env: {
      ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: String(server.port), KONTOR_SMTP_TLS: 'none' },
      KONTOR_SMTP_FROM: 'office@kontor.test',
    },
  });
  ada = await world.person('Ada Author', ['base.group_user', 'crm.group_user'], {
    signature: 'Ada Author\n**Nordlicht** [our site](https://nordlicht.test) <b>x</b>',
  });
  await world.server((env) =>
    env.model('core.company').write([world.admin.companyId as number], {
      ...{ name: 'Nord & <Licht>', street: 'Kai 3', zip: '20457', city: 'Hamburg', website: 'https://nordlicht.test' },
      ...{ logo, mail_colour: '#B03A2E ', mail_footer: 'HRB 1234\nManaging director: I. Solberg' },
    }),
  );
});
afterAll(async () => {
  await world.close();
  await server.close();
});

const send = async (values: object = {}) => {
  const id = await world.lead({ user_id: ada.uid });
  await world.kernel.database.execute(sql`delete from mail_queue`);
  const message = {
    to: ['vera@customer.test'],
    subject: 'Terrace',
    body: 'Hello **Vera**\n\n[Plan](/web/x) [out](https://a.test)',
    files: [],
    at: null,
    key: '',
  };
  await world.work((env) => sendMessage(typedEnv(env), { model: 'crm.lead', id }, { ...message, ...values }), ada);
  const [mail] = await world.kernel.database.query<{
    body_html: string;
    body_text: string;
    attachments: string | null;
  }>(sql`select body_html, body_text, attachments::text as attachments from mail_queue`);
  return mail as NonNullable<typeof mail>;
};

it('TPL-7 a message to people outside has the frame of the company: tables and inline styles, light and dark, with a plain text', async () => {
  const { body_html: html, body_text: text, attachments } = await send();
  expect(html).toContain('src="cid:logo@frame" alt="Nord &amp; &lt;Licht&gt;"');
  expect(html).toContain('border-top:4px solid #b03a2e');
  expect(html).toContain('Nord &amp; &lt;Licht&gt; · Kai 3 · 20457 Hamburg');
  expect(html).toContain('HRB 1234</span><br><span dir="auto">Managing director: I. Solberg');
  expect(html).toContain('@media (prefers-color-scheme:dark)');
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('Hello <strong>Vera</strong>');
  // A link into Kontor leads people outside nowhere.
  expect(html).not.toContain('/web/x');
  expect(html).toMatch(/<a class="k-link" style="color:#b03a2e" href="https:\/\/a\.test">out<\/a>/);
  expect(text).toContain('Hello Vera\n\nPlan out (https://a.test)'.replace('Plan ', '[Plan](/web/x) '));
  expect(text).toContain('HRB 1234\nManaging director: I. Solberg');
  expect(JSON.parse(attachments ?? '[]')).toMatchObject([{ filename: 'logo.png', cid: 'logo@frame', content: logo }]);
  const arabic = await send({ lang: 'ar' });
  expect(arabic.body_html).toContain('<html lang="ar" dir="rtl">');
  expect(arabic.body_html).toContain('align="right"');
});

it('TPL-7 the logo is sent as a part of the message, and not as a file', async () => {
  await send();
  server.accepted.length = 0;
  await world.kernel.database.execute(sql`update mail_queue set next_try = now()`);
  const worker = startMail(world.kernel, 'worker');
  await vi.waitFor(() => expect(server.accepted).toHaveLength(1), { timeout: 120_000, interval: 20 });
  await worker.stop();
  expect(server.accepted[0]).toMatch(/Content-Type: multipart\/related/);
  expect(server.accepted[0]).toMatch(/Content-I[dD]: <logo@frame>/);
  expect(server.accepted[0]).toMatch(/Content-Disposition: inline; filename=logo\.png/);
});

it('TPL-7 colour and small print are checked, and a logo that mail programs do not show is left out', async () => {
  const write = (values: Readonly<Record<string, unknown>>) =>
    world.server((env) => env.model('core.company').write([world.admin.companyId as number], values));
  await expect(write({ mail_colour: 'red;background:url(x)' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(write({ mail_footer: 'x'.repeat(1001) })).rejects.toThrow('at most 1000 characters');
  const webp = Buffer.concat([Buffer.from('RIFF0000WEBPVP8 '), Buffer.alloc(20)]).toString('base64');
  await write({ logo: webp });
  const { body_html: html, attachments } = await send();
  expect(html).not.toContain('cid:');
  expect(attachments).toBeNull();
  await write({ logo });
});

it('TPL-8 the signature of its author goes below a message as light text, off by choice, and never below a note', async () => {
  const { body_html: html, body_text: text } = await send();
  expect(html).toContain('<strong>Nordlicht</strong>');
  expect(html).toContain('&lt;b&gt;x&lt;/b&gt;');
  expect(text).toContain('-- \nAda Author\nNordlicht our site (https://nordlicht.test)');
  expect((await send({ isSigned: false })).body_html).not.toContain('Ada Author');
  const id = await world.lead({ user_id: ada.uid });
  await world.work((env) => postComment(typedEnv(env), { model: 'crm.lead', id }, 'A note'), ada);
  expect(
    JSON.stringify(
      await world.work((env) =>
        env
          .sudo()
          .model('mail.message')
          .searchRead(
            [
              ['res_id', '=', id],
              ['kind', '=', 'comment'],
            ],
            ['body'],
          ),
      ),
    ),
  ).not.toContain('Ada Author');
});
