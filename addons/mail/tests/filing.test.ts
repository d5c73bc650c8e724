import { type Env, typedEnv } from '@kontor/orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replyAddress } from '../incoming/reply-address.ts';
import { type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;
let serial = 0;
beforeAll(async () => {
  world = await mailboxWorld();
});
afterAll(() => world.close());

const mail = (headers: Readonly<Record<string, string>>, body = 'Hello') => {
  const all = {
    From: 'Ada <ada@customer.test>',
    To: 'office@kontor.test',
    'Message-ID': `<m${++serial}@customer.test>`,
    ...headers,
  };
  return `${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}\n${body}`;
};
const server = <T>(run: (env: Env) => Promise<T>) => world.work((env) => run(env.sudo() as Env));
const lead = (values: object = {}) =>
  server((env) => env.model('crm.lead').create({ name: 'Lamps', company_id: world.admin.companyId, ...values }));
const addressOf = (model: string, id: number, companyId = world.admin.companyId) =>
  world.work((env) => replyAddress(typedEnv(env), { model, id, companyId }));
const read = (model: string, id: number, fields?: readonly string[]) =>
  server(async (env) => (await env.model(model).read([id], fields))[0] as Record<string, unknown>);

const addCompany = (name: string) =>
  server(async (env) => {
    const [own] = await env.model('core.company').read([world.admin.companyId as number], ['currency_id']);
    return env.model('core.company').create({ name, currency_id: own?.currency_id });
  });

describe('INM-2 by what it answers', () => {
  it('INM-2 an answer to an e-mail that was sent from a record is filed on it, and so is the answer to that', async () => {
    const id = await lead();
    const key = 'c0ffee00-0000-4000-8000-000000000001';
    await server((env) =>
      env
        .model('mail.message')
        .create({ model: 'crm.lead', res_id: id, kind: 'system', body: 'Sent', message_ref: key }),
    );
    const first = await world.take(
      mail({ 'In-Reply-To': `<${key}@any.domain>`, Subject: 'Re: Lamps', 'Message-ID': '<first@customer.test>' }),
    );
    expect(first).toMatchObject({
      state: 'filed',
      reason: 'reference',
      model: 'crm.lead',
      res_id: id,
      subject: 'Re: Lamps',
    });
    const second = await world.take(mail({ References: '<other@x> <first@customer.test>' }));
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

  it('INM-2 an e-mail to the reply address of a record is filed on it; a forged address fits nothing', async () => {
    const [id, other] = [await lead(), await lead()];
    const address = (await addressOf('crm.lead', id)) as string;
    expect(address).toMatch(/^office\+[0-9a-z]+-[0-9a-f]{20}@kontor\.test$/);
    expect(await world.take(mail({ To: address.toUpperCase() }))).toMatchObject({
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
      expect(await world.take(mail({ To: forged }))).toMatchObject({ state: 'unsorted', model: null });
    }
    expect(await addressOf('core.partner', id)).not.toBe(address.replace('crm', ''));
    expect(await world.messages('crm.lead', other)).toEqual([]);
  });

  it('INM-2 an address of one mailbox does not open another', async () => {
    const id = await lead();
    const address = (await addressOf('crm.lead', id)) as string;
    const second = await world.addMailbox({ address: 'second@kontor.test' });
    const row = await world.take(mail({ To: address }), second);
    expect(row).toMatchObject({ state: 'unsorted', reason: 'nothing' });
  });

  it('INM-2 a record that was deleted, and one of another company, get nothing', async () => {
    const gone = await lead();
    const address = (await addressOf('crm.lead', gone)) as string;
    await server((env) => env.model('crm.lead').unlink([gone]));
    expect(await world.take(mail({ To: address }))).toMatchObject({ state: 'unsorted', reason: 'nothing' });
    const company = await addCompany('Other');
    const theirs = await lead({ company_id: company, team_id: null });
    await server((env) =>
      env.model('mail.message').create({ model: 'crm.lead', res_id: theirs, kind: 'system', message_ref: 'theirs@x' }),
    );
    expect(await world.take(mail({ 'In-Reply-To': '<theirs@x>' }))).toMatchObject({
      state: 'unsorted',
      reason: 'company',
    });
    expect(await world.messages('crm.lead', theirs)).toEqual([]);
  });

  it('INM-2 the contact with the sender’s address is its author; nobody is created', async () => {
    const contact = await server((env) =>
      env.model('core.partner').create({ name: 'Ada B', email: 'ADA@customer.test' }),
    );
    const partners = () => server((env) => env.model('core.partner').count());
    const before = await partners();
    const id = await lead();
    const address = (await addressOf('crm.lead', id)) as string;
    await world.take(mail({ To: address }));
    await world.take(mail({ To: address, From: 'a%a@customer.test' }));
    await world.take(mail({ To: address, From: 'Eve <eve@elsewhere.test>' }));
    expect((await world.messages('crm.lead', id)).map((each) => each.partner_id)).toEqual([contact, null, null]);
    expect(await partners()).toBe(before);
    await server((env) => env.model('core.partner').unlink([contact]));
  });

  it('INM-2 files of an e-mail are files of the record, and nothing is sent', async () => {
    const id = await lead();
    const address = (await addressOf('crm.lead', id)) as string;
    const queued = () => server((env) => env.model('mail.queue').count());
    const before = await queued();
    const parts =
      'See\n--X\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="a.pdf"\n\nPDF\n--X--';
    await world.take(mail({ To: address, 'Content-Type': 'multipart/mixed; boundary=X' }, `--X\n\n${parts}`));
    const [message] = await world.messages('crm.lead', id);
    const files = await server((env) =>
      env.model('mail.message.file').searchRead([['message_id', '=', message?.id as number]]),
    );
    expect(files).toMatchObject([{ name: 'a.pdf', mimetype: 'application/pdf' }]);
    expect(await queued()).toBe(before);
  });
});

describe('INM-3 by alias', () => {
  it.each([
    ['sales@kontor.test', {}],
    ['office+sales@kontor.test', {}],
    ['Someone <x@y.test>', { Cc: 'SALES@kontor.test' }],
    ['x@y.test', { 'Delivered-To': 'sales@kontor.test' }],
  ])('INM-3 an e-mail to %s creates a lead', async (to, more) => {
    const row = await world.take(mail({ To: to, Subject: 'Ten lamps', ...more }, 'Please offer.\n\n-- \nAda'));
    expect(row).toMatchObject({ state: 'filed', reason: 'alias', model: 'crm.lead' });
    expect(await read('crm.lead', row.res_id as number)).toMatchObject({
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
    const refused = await world.take(mail({ To: 'tasks@kontor.test', Subject: 'Repair' }));
    expect(refused).toMatchObject({
      state: 'unsorted',
      reason: 'refused',
      problem: expect.stringContaining('Project'),
    });
    const project = await server(async (env) => {
      const id = await env.model('project.project').create({ name: 'Service', company_id: world.admin.companyId });
      await env.model('core.company').write([world.admin.companyId as number], { project_mail_id: id });
      return id;
    });
    const row = await world.take(mail({ To: 'tasks@kontor.test', Subject: 'Repair' }));
    expect(row).toMatchObject({ problem: null, reason: 'alias' });
    expect(await read('project.task', row.res_id as number)).toMatchObject({ name: 'Repair', project_id: project });
  });

  it('INM-3 the alias of a mailbox is for e-mails that name none; an unknown alias and another domain create nothing', async () => {
    const sales = await world.addMailbox({ address: 'info@kontor.test', alias: 'sales' });
    expect(await world.take(mail({ To: 'info@kontor.test' }), sales)).toMatchObject({
      reason: 'alias',
      model: 'crm.lead',
    });
    expect(await world.take(mail({ To: 'nothing@kontor.test' }))).toMatchObject({
      state: 'unsorted',
      reason: 'nothing',
    });
    expect(await world.take(mail({ To: 'sales@elsewhere.test' }))).toMatchObject({
      state: 'unsorted',
      reason: 'nothing',
    });
  });

  it('INM-3 automatic e-mails and mailing lists create nothing, and one sender creates at most 20 an hour', async () => {
    const to = { To: 'sales@kontor.test' };
    for (const headers of [{ 'Auto-Submitted': 'auto-replied' }, { 'List-Id': '<l.x.test>' }, { Precedence: 'bulk' }]) {
      expect(await world.take(mail({ ...to, ...headers }))).toMatchObject({ state: 'unsorted', reason: 'automatic' });
    }
    const reasons: unknown[] = [];
    for (let n = 0; n < 22; n++) reasons.push((await world.take(mail({ ...to, From: 'loop@customer.test' }))).reason);
    expect(reasons).toEqual([...Array.from({ length: 20 }, () => 'alias'), 'flood', 'flood']);
  });

  it('INM-3 an e-mail from one of our own addresses does not go round', async () => {
    const row = await world.take(mail({ To: 'sales@kontor.test', From: 'office+abc@kontor.test' }));
    expect(row).toMatchObject({ state: 'unsorted', reason: 'loop' });
  });
});

describe('INM-4 unsorted', () => {
  const unsortedRow = (subject: string) => world.take(mail({ Subject: subject }));

  it('INM-4 a person files it on a record they may write, which keeps no original; once', async () => {
    const clerk = await world.person('Clerk', ['base.group_user', 'mail.group_inbox', 'crm.group_user']);
    const id = await lead({ user_id: clerk.uid });
    const row = await unsortedRow('Lost');
    await world.work((env) => env.model('mail.incoming').call([row.id], 'file', { record: `crm.lead,${id}` }), clerk);
    expect(await world.messages('crm.lead', id)).toMatchObject([{ subject: 'Lost', author_id: null }]);
    expect(await read('mail.incoming', row.id, ['state', 'reason', 'raw'])).toMatchObject({
      state: 'filed',
      reason: 'person',
      raw: null,
    });
    const again = world.work(
      (env) => env.model('mail.incoming').call([row.id], 'file', { record: `crm.lead,${id}` }),
      clerk,
    );
    await expect(again).rejects.toThrow('This e-mail is filed already.');
  });

  it('INM-4 not on a record that they may not write, nor on one of another company, nor without the group', async () => {
    const clerk = await world.person('Second clerk', ['base.group_user', 'mail.group_inbox', 'crm.group_user']);
    const row = await unsortedRow('Hidden');
    const file = (record: string, who = clerk) =>
      world.work((env) => env.model('mail.incoming').call([row.id], 'file', { record }), who);
    const foreign = await lead({ user_id: world.admin.uid });
    await expect(file(`crm.lead,${foreign}`)).rejects.toThrow('A record rule does not let you read this Lead.');
    await expect(file('sys.cron,1')).rejects.toThrow('E-mails can be filed on records with a discussion.');
    const company = await addCompany('Third');
    const theirs = await lead({ company_id: company, team_id: null });
    await server((env) => env.model('core.user').write([world.admin.uid], { company_ids: [['link', company]] }));
    const admin = (await world.kernel.actor(world.admin.uid)) as typeof world.admin;
    await expect(
      file(`crm.lead,${theirs}`, { ...admin, shownCompanyIds: [admin.companyId as number, company] }),
    ).rejects.toThrow('The record belongs to another company than Hidden.');
    const seller = await world.person('Seller', ['base.group_user', 'crm.group_user']);
    await expect(world.work((env) => env.model('mail.incoming').searchRead([]), seller)).rejects.toThrow(
      'You may not read Incoming e-mail records.',
    );
  });

  it('INM-4 a person makes a lead of it, with their own rights', async () => {
    const clerk = await world.person('Third clerk', ['base.group_user', 'mail.group_inbox', 'crm.group_user']);
    const row = await unsortedRow('New business');
    const answer = await world.work((env) => env.model('mail.incoming').call([row.id], 'create_lead'), clerk);
    const filed = await read('mail.incoming', row.id, ['model', 'res_id', 'state']);
    expect(filed).toMatchObject({ model: 'crm.lead', state: 'filed' });
    expect(answer?.redirect).toContain(`id=${filed.res_id}`);
    expect(await read('crm.lead', filed.res_id as number, ['name', 'user_id'])).toMatchObject({
      name: 'New business',
      user_id: clerk.uid,
    });
    const reader = await world.person('Reader', ['base.group_user', 'mail.group_inbox']);
    const other = await unsortedRow('Not theirs');
    const refused = world.work((env) => env.model('mail.incoming').call([other.id], 'create_lead'), reader);
    await expect(refused).rejects.toThrow('You may not create Lead records.');
  });

  it('INM-4 those of another company are not seen', async () => {
    const company = await addCompany('Fourth');
    const box = await world.addMailbox({ address: 'fourth@kontor.test', company_id: company });
    const row = await world.take(mail({ Subject: 'Theirs' }), box);
    const clerk = await world.person('Fourth clerk', ['base.group_user', 'mail.group_inbox']);
    expect(await world.work((env) => env.model('mail.incoming').search([['id', '=', row.id]]), clerk)).toEqual([]);
  });
});

describe('INM-5 never twice, never lost', () => {
  it('INM-5 the same e-mail is stored once in each mailbox', async () => {
    const message = mail({ Subject: 'Once' });
    const first = await world.take(message);
    expect((await world.take(message)).id).toBe(first.id);
    expect((await world.take(`Received: by another.test\n${message}`)).id).toBe(first.id);
    const second = await world.addMailbox({ address: 'copy@kontor.test' });
    expect((await world.take(message, second)).id).not.toBe(first.id);
  });

  it('INM-5 an e-mail whose reader dies is read again, and after its last try waits for a person with its original', async () => {
    const row = await world.take(mail({ Subject: 'Poison' }));
    const reset = (values: Readonly<Record<string, unknown>>) =>
      server((env) => env.model('mail.incoming').write([row.id], values));
    const past = new Date(0).toISOString();
    await reset({ state: 'running', attempts: 1, locked_by: 'dead', locked_until: past, next_try: past });
    await world.file();
    expect(await read('mail.incoming', row.id, ['state'])).toMatchObject({ state: 'unsorted' });
    await reset({ state: 'running', attempts: 4, locked_by: 'dead', locked_until: past, next_try: past });
    await world.file();
    expect(await read('mail.incoming', row.id, ['state'])).toMatchObject({ state: 'dead' });
    expect((await read('mail.incoming', row.id, ['raw'])).raw).toEqual(expect.any(String));
  });
});
