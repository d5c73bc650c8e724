import { sql } from '@kontor/database';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({
    modules: ['sale', 'contacts'],
    env: {
      ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: '1', KONTOR_SMTP_FROM: 'kontor@example.com' },
      KONTOR_BASE_URL: 'https://kontor.example',
    },
  });
});
afterAll(() => world.close());

interface Queued {
  readonly subject: string;
  readonly body: string;
}
const sentBy = async (work: Parameters<TestKernel['work']>[0]) => {
  await world.kernel.database.execute(sql`delete from mail_queue`);
  await world.work(work);
  const [mail] = await world.kernel.database.query<Queued>(sql`select subject, body_text as body from mail_queue`);
  return mail;
};

it('TXT-1 PTL-12 the mails of the portal are texts that administrators change, in the language of the customer', async () => {
  const ines = await world.work((env) =>
    env.model('core.partner').create({ name: 'Inès', email: 'ines@lac.example', lang: 'de_DE' }),
  );
  const change = (key: string, values: object) =>
    world.work(async (env) => {
      const [text_id = 0] = await env.model('sys.text').search([['key', '=', key]]);
      await env.model('sys.text.edit').create({ text_id, ...values });
    });
  const invite = () => sentBy((env) => env.model('core.partner').call([ines], 'invite_to_portal'));
  expect(await invite()).toEqual({
    subject: 'Anmelden',
    body: expect.stringMatching(
      /^Mit diesem Link melden Sie sich an\. Er funktioniert einmal, 30 Minuten lang\.\n\nAnmelden:\nhttps:\/\/kontor\.example\/portal\/in\//,
    ),
  });
  await change('portal.sign_in', { lang: 'de_DE', subject: 'Willkommen', body: 'Nur {minutes} Minuten!' });
  expect(await invite()).toEqual({ subject: 'Willkommen', body: expect.stringMatching(/^Nur 30 Minuten!\n/) });

  await change('portal.answer', { lang: 'de_DE', body: 'Guten Tag,\n\n{message}' });
  const [order, name] = await world.work(async (env) => {
    const id = await env.model('sale.order').create({ partner_id: ines });
    return [id, (await env.model('sale.order').read([id], ['name']))[0]?.name] as const;
  });
  const long = `Erstens {minutes}.\n\n${'Zweitens. '.repeat(900)}`.trim();
  expect(await sentBy((env) => env.model('sale.order').call([order], 'answer', { body: long }))).toEqual({
    subject: `Antwort zu ${name}`,
    body: expect.stringContaining(`Guten Tag,\n\n${long}\n\n`),
  });
});

it('OUM-23 answers to a message of the portal are filed on the record, at its signed reply address', async () => {
  await world.work((env) => env.sudo().model('mail.mailbox').create({ name: 'Office', address: 'office@kontor.test' }));
  const ines = await world.work((env) =>
    env.model('core.partner').create({ name: 'Inès', email: 'ines2@lac.example' }),
  );
  const order = await world.work((env) => env.model('sale.order').create({ partner_id: ines }));
  await sentBy((env) => env.model('sale.order').call([order], 'answer', { body: 'On Monday' }));
  const [mail] = await world.kernel.database.query<{ reply_to: string; message_id: string; known: number }>(sql`
    select reply_to, message_id, (select res_id from mail_message where message_ref = mail_queue.message_id) as known
    from mail_queue`);
  expect(mail).toMatchObject({ reply_to: expect.stringMatching(/^office\+.+@kontor\.test$/), known: order });
});
