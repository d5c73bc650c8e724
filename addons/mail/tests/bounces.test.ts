import { randomUUID } from 'node:crypto';
import { typedEnv } from '@kontor/orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChatter } from '../chatter/read-chatter.ts';
import { replyAddress } from '../incoming/reply-address.ts';
import { letter, type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;
beforeAll(async () => {
  world = await mailboxWorld();
});
afterAll(() => world.close());

const addressOf = (model: string, id: number, companyId = world.admin.companyId) =>
  world.work((env) => replyAddress(typedEnv(env), { model, id, companyId }));

/** A record with an e-mail that was sent from it. */
const sentTo = async (recipient: string, key: string = randomUUID()) => {
  const id = await world.lead();
  await world.server(async (env) => {
    await env.model('mail.message').create({ model: 'crm.lead', res_id: id, kind: 'system', message_ref: key });
    await env.model('mail.queue').create({ recipient, subject: 'Lamps', message_id: key, state: 'sent' });
  });
  return { id, key };
};
const contactAt = async (email: string) => {
  const id = await world.server((env) => env.model('core.partner').create({ name: 'Bea', email }));
  return { id, failedAt: async () => (await world.read('core.partner', id, ['mail_failed_at'])).mail_failed_at };
};

describe('INM-9 bounces and automatic replies', () => {
  const bounce = (messageId: string, failed: string) =>
    [
      'From: MAILER-DAEMON@mx.test\nTo: office@kontor.test\nReturn-Path: <>\nSubject: Undelivered Mail Returned to Sender',
      `Message-ID: <${randomUUID()}@mx.test>\nContent-Type: multipart/report; report-type=delivery-status; boundary=X\n`,
      '--X\n\nIt did not arrive.',
      `--X\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; ${failed}\nAction: failed\nStatus: 5.1.1`,
      `--X\nContent-Type: message/rfc822\n\nMessage-ID: <${messageId}>\n\nHello\n--X--`,
    ].join('\n');

  it('INM-9 a bounce is marked at the message and at the contact, until the contact writes or has another address', async () => {
    const { id, key } = await sentTo('Bea@gone.test');
    const { id: contact, failedAt } = await contactAt('bea@gone.test');
    const row = await world.take(bounce(`${key}@kontor.test`, 'bea@gone.test'));
    expect(row).toMatchObject({ state: 'filed', reason: 'reference', mark: 'bounce', res_id: id });
    expect(await world.messages('crm.lead', id)).toMatchObject([{ mark: 'bounce', body: '<p>It did not arrive.</p>' }]);
    expect(await failedAt()).toEqual(expect.any(String));
    await world.take(letter({ From: 'bea@gone.test', 'In-Reply-To': `<${key}@kontor.test>` }));
    expect(await failedAt()).toBeNull();
    await world.take(bounce(`${key}@kontor.test`, 'bea@gone.test'));
    await world.work((env) => env.model('core.partner').write([contact], { email: 'bea@here.test' }));
    expect(await failedAt()).toBeNull();
  });

  it('INM-9 a message of ours says to whom it was not delivered', async () => {
    const key = randomUUID();
    const id = await world.lead();
    await world.server(async (env) => {
      await env.model('mail.message').create({
        ...{ model: 'crm.lead', res_id: id, kind: 'email', author_id: world.admin.uid, message_ref: key },
        recipients: 'bea@gone.test\nada@here.test',
      });
      for (const recipient of ['bea@gone.test', 'ada@here.test'])
        await env.model('mail.queue').create({ recipient, subject: 'Lamps', message_id: key, state: 'sent' });
    });
    const failedTo = () =>
      world.work(async (env) => {
        const page = await readChatter(typedEnv(env), { model: 'crm.lead', id }, { before: null, limit: 50 });
        return page.messages.find(({ mail }) => mail?.outgoing)?.mail?.outgoing?.failedTo;
      });
    await world.take(bounce(`${key}@kontor.test`, 'mallory@elsewhere.test'));
    expect(await failedTo()).toBeUndefined();
    await world.take(bounce(`${key}@kontor.test`, 'bea@gone.test'));
    await world.take(bounce(`${key}@kontor.test`, 'bea@gone.test'));
    expect(await failedTo()).toEqual(['bea@gone.test']);
  });

  it('INM-9 a bounce that a person files marks the contact as well', async () => {
    const key = randomUUID();
    await world.server((env) =>
      env.model('mail.queue').create({ recipient: 'ida@gone.test', subject: 'Lamps', message_id: key, state: 'sent' }),
    );
    const { failedAt } = await contactAt('ida@gone.test');
    const row = await world.take(bounce(`${key}@kontor.test`, 'ida@gone.test'));
    expect(row).toMatchObject({ state: 'unsorted' });
    expect(await failedAt()).toBeNull();
    const record = `crm.lead,${await world.lead()}`;
    await world.work((env) => env.model('mail.incoming').call([row.id], 'file', { record }));
    expect(await failedAt()).toEqual(expect.any(String));
  });

  it('INM-10 somebody who received an e-mail cannot mark the address of another, and a sender cannot by their own', async () => {
    const { key } = await sentTo('mallory@evil.test');
    const { failedAt } = await contactAt('dora@fine.test');
    expect(await world.take(bounce(`${key}@kontor.test`, 'dora@fine.test'))).toMatchObject({ mark: 'bounce' });
    await world.take(letter({ To: 'sales@kontor.test', From: 'mallory@evil.test', 'Message-ID': '<own@evil.test>' }));
    await world.take(bounce('own@evil.test', 'dora@fine.test'));
    expect(await failedAt()).toBeNull();
  });

  it('INM-9 a bounce of an e-mail that we did not send marks nobody', async () => {
    const contact = await world.server((env) =>
      env.model('core.partner').create({ name: 'Cai', email: 'cai@gone.test' }),
    );
    expect(await world.take(bounce('made-up@kontor.test', 'cai@gone.test'))).toMatchObject({
      state: 'unsorted',
      mark: 'bounce',
    });
    expect(await world.read('core.partner', contact, ['mail_failed_at'])).toMatchObject({ mail_failed_at: null });
  });

  it('INM-9 an automatic reply is filed and marked, and nothing answers it', async () => {
    const id = await world.lead();
    const address = (await addressOf('crm.lead', id)) as string;
    await world.take(letter({ To: address, 'Auto-Submitted': 'auto-replied' }));
    expect(await world.messages('crm.lead', id)).toMatchObject([{ mark: 'auto' }]);
    expect(await world.server((env) => env.model('mail.queue').count([['state', '!=', 'sent']]))).toBe(0);
  });
});
