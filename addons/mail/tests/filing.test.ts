import { sql } from '@kontor/database';
import { typedEnv } from '@kontor/orm';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropFiledMessages, receive } from '../incoming/receive.ts';
import { replyAddress } from '../incoming/reply-address.ts';
import { letter, type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;
beforeAll(async () => {
  world = await mailboxWorld();
});
afterAll(() => world.close());

const addressOf = (model: string, id: number, companyId = world.admin.companyId) =>
  world.work((env) => replyAddress(typedEnv(env), { model, id, companyId }));

describe('INM-2 by what it answers', () => {
  it('INM-2 an answer to an e-mail that was sent from a record is filed on it, and so is the answer to that', async () => {
    const id = await world.lead();
    const key = 'c0ffee00-0000-4000-8000-000000000001';
    await world.server((env) =>
      env
        .model('mail.message')
        .create({ model: 'crm.lead', res_id: id, kind: 'system', body: 'Sent', message_ref: key }),
    );
    const first = await world.take(
      letter({ 'In-Reply-To': `<${key}@any.domain>`, Subject: 'Re: Lamps', 'Message-ID': '<first@customer.test>' }),
    );
    expect(first).toMatchObject({
      state: 'filed',
      reason: 'reference',
      model: 'crm.lead',
      res_id: id,
      subject: 'Re: Lamps',
    });
    const second = await world.take(letter({ References: '<other@x> <first@customer.test>' }));
    expect(second).toMatchObject({ state: 'filed', reason: 'reference', res_id: id });
    expect(await world.messages('crm.lead', id)).toMatchObject([
      {
        subject: 'Re: Lamps',
        sender_name: 'Ada',
        sender_email: 'ada@customer.test',
        body: '<p>Hello</p>',
        author_id: null,
      },
      { subject: null },
    ]);
  });

  it('INM-15 an e-mail that claims the Message-ID of another one attracts no answers to it', async () => {
    const id = await world.lead();
    const key = 'c0ffee00-0000-4000-8000-0000000000aa';
    const sent = { model: 'crm.lead', res_id: id, kind: 'system' as const, body: 'Sent', message_ref: key };
    await world.server((env) => env.model('mail.message').create(sent));
    await world.take(letter({ References: `<${key}@kontor.test>`, 'Message-ID': '<question@customer.test>' }));
    const other = await world.lead();
    const address = (await addressOf('crm.lead', other)) as string;
    // Whoever got a copy of the two e-mails knows their Message-IDs.
    for (const known of [`${key}@kontor.test`, 'question@customer.test'])
      await world.take(letter({ To: address, From: 'Eve <eve@elsewhere.test>', 'Message-ID': `<${known}>` }));
    for (const known of [`${key}@kontor.test`, 'question@customer.test'])
      expect(await world.take(letter({ 'In-Reply-To': `<${known}>` }))).toMatchObject({ res_id: id });
    await world.server((env) => env.model('crm.lead').unlink([id]));
    for (const known of [`${key}@kontor.test`, 'question@customer.test'])
      expect(await world.take(letter({ 'In-Reply-To': `<${known}>` }))).not.toMatchObject({ res_id: other });
  });

  it('INM-2 an e-mail to the reply address of a record is filed on it; a forged address fits nothing', async () => {
    const [id, other] = [await world.lead(), await world.lead()];
    const address = (await addressOf('crm.lead', id)) as string;
    expect(address).toMatch(/^office\+[0-9a-z]+-[0-9a-f]{20}@kontor\.test$/);
    expect(await world.take(letter({ To: address.toUpperCase() }))).toMatchObject({
      state: 'filed',
      reason: 'address',
      res_id: id,
    });
    const mac = address.split('-')[1] as string;
    for (const forged of [
      `office+${other.toString(36)}-${mac}`,
      address.replace(/.(?=@)/, (last) => (last === '0' ? '1' : '0')),
      `office+${id.toString(36)}-${'0'.repeat(20)}@kontor.test`,
      `office+${id.toString(36)}-@kontor.test`,
      address.replace('kontor.test', 'evil.test'),
    ]) {
      expect(await world.take(letter({ To: forged }))).toMatchObject({ state: 'unsorted', model: null });
    }
    expect(await addressOf('core.partner', id)).not.toBe(address.replace('crm', ''));
    expect(await world.messages('crm.lead', other)).toEqual([]);
  });

  it('INM-2 an address of one mailbox does not open another', async () => {
    const id = await world.lead();
    const address = (await addressOf('crm.lead', id)) as string;
    const second = await world.addMailbox({ address: 'second@kontor.test' });
    const row = await world.take(letter({ To: address }), second);
    expect(row).toMatchObject({ state: 'unsorted', reason: 'nothing' });
  });

  it('INM-2 a record that was deleted, and one of another company, get nothing', async () => {
    const gone = await world.lead();
    const address = (await addressOf('crm.lead', gone)) as string;
    await world.server((env) => env.model('crm.lead').unlink([gone]));
    expect(await world.take(letter({ To: address }))).toMatchObject({ state: 'unsorted', reason: 'nothing' });
    const company = await world.addCompany('Other');
    const theirs = await world.lead({ company_id: company, team_id: null });
    await world.server((env) =>
      env.model('mail.message').create({ model: 'crm.lead', res_id: theirs, kind: 'system', message_ref: 'theirs@x' }),
    );
    expect(await world.take(letter({ 'In-Reply-To': '<theirs@x>' }))).toMatchObject({
      state: 'unsorted',
      reason: 'company',
    });
    expect(await world.messages('crm.lead', theirs)).toEqual([]);
  });

  it('INM-2 the contact with the sender’s address is its author; nobody is created', async () => {
    const contact = await world.server((env) =>
      env.model('core.partner').create({ name: 'Ada B', email: 'ADA@customer.test' }),
    );
    const partners = () => world.server((env) => env.model('core.partner').count());
    const before = await partners();
    const id = await world.lead();
    const address = (await addressOf('crm.lead', id)) as string;
    await world.take(letter({ To: address }));
    await world.take(letter({ To: address, From: 'a%a@customer.test' }));
    await world.take(letter({ To: address, From: 'Eve <eve@elsewhere.test>' }));
    expect((await world.messages('crm.lead', id)).map((each) => each.partner_id)).toEqual([contact, null, null]);
    expect(await partners()).toBe(before);
    await world.server((env) => env.model('core.partner').unlink([contact]));
  });

  it('INM-2 files of an e-mail are files of the record, and nothing is sent', async () => {
    const id = await world.lead();
    const address = (await addressOf('crm.lead', id)) as string;
    const queued = () => world.server((env) => env.model('mail.queue').count());
    const before = await queued();
    const parts =
      'See\n--X\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="a.pdf"\n\nPDF\n--X--';
    await world.take(letter({ To: address, 'Content-Type': 'multipart/mixed; boundary=X' }, `--X\n\n${parts}`));
    const [message] = await world.messages('crm.lead', id);
    const files = await world.server((env) =>
      env.model('mail.message.file').searchRead([['message_id', '=', message?.id as number]]),
    );
    expect(files).toMatchObject([{ name: 'a.pdf', mimetype: 'application/pdf' }]);
    expect(await queued()).toBe(before);
  });
});

it('INM-2 answers come back to the mailbox that the conversation came in by', async () => {
  const team = await world.addMailbox({ address: 'team-sales@kontor.test', alias: 'sales' });
  const row = await world.take(letter({ To: 'team-sales@kontor.test', Subject: 'By the team' }), team);
  expect(await addressOf('crm.lead', row.res_id as number)).toMatch(/^team-sales\+/);
  expect(await addressOf('crm.lead', await world.lead())).toMatch(/^office\+/);
  await world.server((env) => env.model('mail.mailbox').write([team], { takes_replies: false }));
  expect(await addressOf('crm.lead', row.res_id as number)).toMatch(/^office\+/);
});

describe('INM-3 by alias', () => {
  it.each([
    ['sales@kontor.test', {}],
    ['office+sales@kontor.test', {}],
    ['Someone <x@y.test>', { Cc: 'SALES@kontor.test' }],
    ['x@y.test', { 'Delivered-To': 'sales@kontor.test' }],
  ])('INM-3 an e-mail to %s creates a lead', async (to, more) => {
    const row = await world.take(letter({ To: to, Subject: 'Ten lamps', ...more }, 'Please offer.\n\n-- \nAda'));
    expect(row).toMatchObject({ state: 'filed', reason: 'alias', model: 'crm.lead' });
    expect(await world.read('crm.lead', row.res_id as number)).toMatchObject({
      ...{
        name: 'Ten lamps',
        contact_name: 'Ada',
        email_from: 'ada@customer.test',
        description: '<p>Please offer.</p>',
      },
      ...{ company_id: world.admin.companyId, user_id: null, create_uid: null },
    });
    expect(await world.messages('crm.lead', row.res_id as number)).toHaveLength(1);
  });

  it('INM-3 a task needs the project of the company’s settings; without it a person decides', async () => {
    const refused = await world.take(letter({ To: 'tasks@kontor.test', Subject: 'Repair' }));
    expect(refused).toMatchObject({
      state: 'unsorted',
      reason: 'refused',
      problem: expect.stringContaining('Project'),
    });
    const project = await world.server(async (env) => {
      const id = await env.model('project.project').create({ name: 'Service', company_id: world.admin.companyId });
      await env.model('core.company').write([world.admin.companyId as number], { project_mail_id: id });
      return id;
    });
    const row = await world.take(letter({ To: 'tasks@kontor.test', Subject: 'Repair' }));
    expect(row).toMatchObject({ problem: null, reason: 'alias' });
    expect(await world.read('project.task', row.res_id as number)).toMatchObject({
      name: 'Repair',
      project_id: project,
    });
  });

  it('INM-3 the alias of a mailbox is for e-mails that name none; an unknown alias and another domain create nothing', async () => {
    const sales = await world.addMailbox({ address: 'info@kontor.test', alias: 'sales' });
    expect(await world.take(letter({ To: 'info@kontor.test' }), sales)).toMatchObject({
      reason: 'alias',
      model: 'crm.lead',
    });
    expect(await world.take(letter({ To: 'nothing@kontor.test' }))).toMatchObject({
      state: 'unsorted',
      reason: 'nothing',
    });
    expect(await world.take(letter({ To: 'sales@elsewhere.test' }))).toMatchObject({
      state: 'unsorted',
      reason: 'nothing',
    });
  });

  long(
    'INM-3 automatic e-mails and mailing lists create nothing, and one sender creates at most 20 an hour',
    async () => {
      const to = { To: 'sales@kontor.test' };
      for (const headers of [
        { 'Auto-Submitted': 'auto-replied' },
        { 'List-Id': '<l.x.test>' },
        { Precedence: 'bulk' },
      ]) {
        expect(await world.take(letter({ ...to, ...headers }))).toMatchObject({
          state: 'unsorted',
          reason: 'automatic',
        });
      }
      const reasons: unknown[] = [];
      for (let n = 0; n < 22; n++)
        reasons.push((await world.take(letter({ ...to, From: 'loop@customer.test' }))).reason);
      expect(reasons).toEqual([...Array.from({ length: 20 }, () => 'alias'), 'flood', 'flood']);
    },
  );

  it('INM-3 an e-mail from one of our own addresses does not go round', async () => {
    const row = await world.take(letter({ To: 'sales@kontor.test', From: 'office+abc@kontor.test' }));
    expect(row).toMatchObject({ state: 'unsorted', reason: 'loop' });
  });
});

describe('INM-5 never twice, never lost', () => {
  it('INM-5 the same e-mail is stored once in each mailbox', async () => {
    const message = letter({ Subject: 'Once' });
    const first = await world.take(message);
    expect((await world.take(message)).id).toBe(first.id);
    expect((await world.take(`Received: by another.test\n${message}`)).id).toBe(first.id);
    const second = await world.addMailbox({ address: 'copy@kontor.test' });
    expect((await world.take(message, second)).id).not.toBe(first.id);
  });

  it('INM-5 an e-mail whose reader dies is read again, and after its last try waits for a person with its original', async () => {
    const row = await world.take(letter({ Subject: 'Poison' }));
    const reset = (values: Readonly<Record<string, unknown>>) =>
      world.server((env) => env.model('mail.incoming').write([row.id], values));
    const past = new Date(0).toISOString();
    await reset({ state: 'running', attempts: 1, locked_by: 'dead', locked_until: past, next_try: past });
    await world.file();
    expect(await world.read('mail.incoming', row.id, ['state'])).toMatchObject({ state: 'unsorted' });
    await reset({ state: 'running', attempts: 4, locked_by: 'dead', locked_until: past, next_try: past });
    await world.file();
    expect(await world.read('mail.incoming', row.id, ['state'])).toMatchObject({ state: 'dead' });
    expect((await world.read('mail.incoming', row.id, ['raw'])).raw).toEqual(expect.any(String));
  });

  it('INM-5 a filed or deleted e-mail stays known when its row is gone', async () => {
    const receiveAgain = (raw: string) =>
      world.work(async (untyped) => {
        const box = { id: world.mailbox, company_id: world.admin.companyId as number };
        return receive(typedEnv(untyped.sudo()), { raw: Buffer.from(raw), mailbox: box });
      });
    const [filed, deleted] = [letter({ To: 'sales@kontor.test', Subject: 'Long ago' }), letter({ Subject: 'Spam' })];
    const [first, second] = [await world.take(filed), await world.take(deleted)];
    await world.server(async (env) => {
      await env.model('mail.incoming').write([first.id], { received_at: '2020-01-01T00:00:00Z' });
      while (await dropFiledMessages(typedEnv(env)));
      await env.model('mail.incoming').unlink([second.id]);
      expect(await env.model('mail.incoming').search([['id', 'in', [first.id, second.id]]])).toEqual([]);
    });
    expect(await receiveAgain(filed)).toEqual({ id: null, isNew: false });
    expect(await receiveAgain(deleted)).toEqual({ id: null, isNew: false });
  });

  it('INM-5 the same e-mail by two mailboxes is one message on one record; other content is another e-mail', async () => {
    const box = await world.addMailbox({ address: 'twin@kontor.test', alias: 'sales' });
    const message = letter({ To: 'sales@kontor.test, twin@kontor.test', Subject: 'Twin', 'Message-ID': '<twin@x>' });
    const first = await world.take(message);
    const second = await world.take(message, box);
    expect(second).toMatchObject({
      state: 'filed',
      reason: 'same',
      model: 'crm.lead',
      res_id: first.res_id,
    });
    expect(await world.messages('crm.lead', first.res_id as number)).toHaveLength(1);
    const forged = await world.take(
      letter({ To: 'sales@kontor.test', Subject: 'Twin', 'Message-ID': '<twin@x>' }, 'Other'),
      box,
    );
    expect(forged).toMatchObject({ reason: 'alias' });
    expect(forged.res_id).not.toBe(first.res_id);
  });

  it('INM-5 two copies that are filed at the same moment are one as well', async () => {
    const box = await world.addMailbox({ address: 'race@kontor.test', alias: 'sales' });
    const raw = Buffer.from(letter({ To: 'sales@kontor.test', Subject: 'Race' }));
    await world.server(async (env) => {
      for (const id of [world.mailbox, box])
        await receive(typedEnv(env), { raw, mailbox: { id, company_id: world.admin.companyId as number } });
    });
    await world.file();
    await world.server((env) => env.db.execute(sql`update mail_incoming set next_try = now() where state = 'waiting'`));
    await world.file();
    const leads = await world.server((env) => env.model('crm.lead').count([['name', '=', 'Race']]));
    expect(leads).toBe(1);
    const rows = await world.server((env) =>
      env.model('mail.incoming').searchRead(
        [
          ['mailbox_id', 'in', [world.mailbox, box]],
          ['subject', '=', 'Race'],
        ],
        [],
      ),
    );
    expect(rows.length).toBeLessThanOrEqual(2);
  });
});

describe('INM-20 history', () => {
  const past = '2019-05-06T07:08:09.000Z';
  const history = (headers: Readonly<Record<string, string>>) =>
    world.take(letter({ Date: 'Mon, 6 May 2019 07:08:00 +0000', ...headers }), world.mailbox, past);

  it('INM-20 is filed on its contact with its own date, closed and read, and creates nothing', async () => {
    const contact = await world.server((env) =>
      env.model('core.partner').create({ name: 'Olga', email: 'olga@customer.test', mail_failed_at: past }),
    );
    const leads = () => world.server((env) => env.model('crm.lead').count());
    const before = await leads();
    const row = await history({ From: 'olga@customer.test', To: 'sales@kontor.test', Subject: 'Old' });
    expect(row).toMatchObject({ state: 'filed', reason: 'contact', model: 'core.partner', res_id: contact });
    expect(await leads()).toBe(before);
    expect(await world.messages('core.partner', contact)).toMatchObject([
      { subject: 'Old', date: '2019-05-06T07:08:00.000Z', news_at: null },
    ]);
    const [conversation] = await world.server((env) =>
      env.model('mail.conversation').searchRead(
        [
          ['model', '=', 'core.partner'],
          ['res_id', '=', contact],
        ],
        ['state', 'last_at', 'received_at'],
      ),
    );
    expect(conversation).toMatchObject({ state: 'closed', last_at: past, received_at: new Date(0).toISOString() });
    expect((await world.read('core.partner', contact, ['mail_failed_at'])).mail_failed_at).not.toBeNull();
  });

  it('INM-20 what fits nothing stays in its mailbox alone, and is known', async () => {
    const row = await history({ From: 'stranger@elsewhere.test', To: 'sales@kontor.test', Subject: 'Private' });
    expect(row).toMatchObject({ state: 'filed', reason: 'history', model: null, subject: null, body: null });
  });
});
