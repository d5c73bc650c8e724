import { ident, sql } from '@kontor/database';
import { type Actor, typedEnv } from '@kontor/orm';
import { startMail } from '@kontor/parts';
import { startMailServer, type TestMailServer } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { postComment } from '../chatter/post-message.ts';
import { readChatter } from '../chatter/read-chatter.ts';
import { type OutsideMessage, reschedule, scheduledMessages, sendMessage, takeBack } from '../chatter/send-message.ts';
import { suggestRecipients } from '../chatter/suggest-recipients.ts';
import { wakeConversations } from '../inbox/change-conversation.ts';
import { readInbox } from '../inbox/read-inbox.ts';
import { replyAddress } from '../incoming/reply-address.ts';
import { letter, type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

let server: TestMailServer;
let world: MailboxWorld;
let worker: ReturnType<typeof startMail> | null = null;
let ada: Actor;
beforeAll(async () => {
  server = await startMailServer();
  world = await mailboxWorld({
    modules: ['webhooks'],
    env: {
      ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: String(server.port), KONTOR_SMTP_TLS: 'none' },
      KONTOR_SMTP_FROM: 'Nordlicht <office@kontor.test>',
    },
  });
  ada = await world.person('Ada Author', ['base.group_user', 'crm.group_user']);
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
  await world.kernel.database.execute(sql`delete from mail_queue`);
});
afterAll(async () => {
  await world.close();
  await server.close();
});

const usual: OutsideMessage = {
  to: ['vera@customer.test'],
  subject: 'Terrace',
  body: 'Hello **Vera**',
  files: [],
  at: null,
  key: '',
};
const thread = (id: number) => ({ model: 'crm.lead', id });
const send = (id: number, message: Partial<OutsideMessage> = {}, who = ada) =>
  world.work((env) => sendMessage(typedEnv(env), thread(id), { ...usual, ...message }), who);
const queue = () =>
  world.kernel.database.query<{ recipient: string; state: string; message_id: string; wait: number }>(sql`
    select recipient, state, message_id, extract(epoch from next_try - now())::float8 as wait from mail_queue order by id`);
const lead = (values: object = {}) => world.lead({ user_id: ada.uid, ...values });
/** The time for undo is over. */
const due = () => world.kernel.database.execute(sql`update mail_queue set next_try = now()`);
const deliver = () => {
  worker = startMail(world.kernel, 'worker');
};
const delivered = (count: number) =>
  vi.waitFor(() => expect(server.accepted).toHaveLength(count), { timeout: 120_000, interval: 20 });

describe('OUM-1 a message to people outside', () => {
  it('OUM-1 goes to each recipient once, says who else has it, and its answer is filed on the record', async () => {
    server.accepted.length = 0;
    const id = await lead();
    const to = await world.server((env) => replyAddress(typedEnv(env), { ...thread(id), companyId: 1 }));
    await world.take(
      letter({ To: to as string, 'Message-ID': '<first@customer.test>', Subject: 'Terrace' }, 'Please offer'),
    );
    const files = [{ name: 'plan.txt', type: 'text/plain', data: Buffer.from('the plan').toString('base64') }];
    await send(id, { to: ['vera@customer.test', 'paul@customer.test', 'vera@customer.test'], files });
    await due();
    deliver();
    await delivered(2);
    const [first = '', second = ''] = [...server.accepted].sort();
    for (const mail of [first, second]) {
      expect(mail).toContain('To: vera@customer.test, paul@customer.test');
      expect(mail).toContain(`Reply-To: ${to}`);
      expect(mail).toContain('In-Reply-To: <first@customer.test>');
      expect(mail).toContain('plan.txt');
    }
    const ids = [first, second].map((mail) => /^Message-ID: (\S+)/im.exec(mail)?.[1]);
    expect(ids[0]).toBe(ids[1]);
    await world.take(
      letter({ From: 'paul@customer.test', 'In-Reply-To': String(ids[0]), Subject: 'Re: Terrace' }, 'Fine'),
    );
    const { messages } = await world.work(
      (env) => readChatter(typedEnv(env), thread(id), { before: null, limit: 9 }),
      ada,
    );
    expect(messages.map(({ kind, mail }) => [kind, mail?.outgoing?.state])).toEqual([
      ['email', undefined],
      ['email', 'sent'],
      ['email', undefined],
    ]);
    expect(messages[1]).toMatchObject({ author: { name: 'Ada Author' }, mail: { outgoing: { mayChange: false } } });
  });

  it('OUM-1 who receives it is proposed: who wrote last, otherwise the contact, with a warning if mail came back', async () => {
    const contact = await world.server((env) =>
      env
        .model('core.partner')
        .create({ name: 'Vera', email: 'vera@customer.test', mail_failed_at: '2026-01-01T00:00:00Z' }),
    );
    const id = await lead({ name: 'Lamps', partner_id: contact });
    const suggested = () => world.work((env) => suggestRecipients(typedEnv(env), thread(id)), ada);
    expect(await suggested()).toEqual({
      to: [{ name: 'Vera', address: 'vera@customer.test', isFailing: true }],
      others: [],
      subject: 'Lamps',
      followers: [],
      colleagues: ['Ada Lindqvist'],
    });
    const cleo = await world.person('Cleo Colleague', ['base.group_user', 'crm.group_manager']);
    await world.work((env) => postComment(typedEnv(env), thread(id), 'I look after it'), cleo);
    expect((await suggested()).colleagues).toEqual(['Ada Lindqvist', 'Cleo Colleague']);
    const to = await world.server((env) => replyAddress(typedEnv(env), { ...thread(id), companyId: 1 }));
    await world.take(letter({ To: to as string, From: 'Paul <paul@customer.test>', Subject: 'Chairs' }));
    expect(await suggested()).toMatchObject({
      to: [{ name: 'Paul', address: 'paul@customer.test' }],
      subject: 'Re: Chairs',
    });
    const copied = {
      ...{ To: `Office <${to}>, Vera <vera@customer.test>`, Cc: 'Paul Favre <paul@favre.test>, sales@kontor.test' },
      ...{ From: 'Robot <no-reply@customer.test>', 'Reply-To': 'Desk <desk@customer.test>' },
    };
    await world.take(letter({ ...copied, Subject: 'Chairs again' }));
    expect(await suggested()).toMatchObject({
      to: [{ name: 'Desk', address: 'desk@customer.test' }],
      others: [
        { name: 'Vera', address: 'vera@customer.test' },
        { name: 'Paul Favre', address: 'paul@favre.test' },
      ],
    });
    const read = () => world.work((env) => readChatter(typedEnv(env), thread(id), { before: null, limit: 1 }), ada);
    expect((await read()).messages[0]?.mail?.cc).toEqual([
      { name: 'Paul Favre', address: 'paul@favre.test' },
      { name: '', address: 'sales@kontor.test' },
    ]);
  });
});

it('OUM-1 copies go to each once, everybody sees them, and they come back with Undo', async () => {
  server.accepted.length = 0;
  const id = await lead();
  const people = { to: ['vera@customer.test'], cc: ['paul@favre.test', 'vera@customer.test'] };
  const taken = await send(id, people);
  expect(await world.work((env) => takeBack(typedEnv(env), taken.id), ada)).toMatchObject({
    ...{ to: ['vera@customer.test'], cc: ['paul@favre.test'] },
  });
  await send(id, people);
  await due();
  deliver();
  await delivered(2);
  for (const mail of server.accepted) {
    expect(mail).toContain('To: vera@customer.test');
    expect(mail).toContain('Cc: paul@favre.test');
  }
  const page = await world.work((env) => readChatter(typedEnv(env), thread(id), { before: null, limit: 1 }), ada);
  expect(page.messages[0]?.mail).toMatchObject({
    ...{ cc: [{ name: '', address: 'paul@favre.test' }], outgoing: { to: ['vera@customer.test'] } },
  });
  const many = Array.from({ length: 20 }, (_, n) => `p${n}@customer.test`);
  await expect(send(id, { cc: many })).rejects.toThrow('A message has at most 20 recipients.');
});

describe('OUM-2 undo', () => {
  it('OUM-2 a message waits ten seconds in the queue and comes back with its text, people and files', async () => {
    const id = await lead();
    const files = [{ name: 'a.txt', type: 'text/plain', data: 'YQ==' }];
    const sent = await send(id, { files, body: 'Wrong *text*', isSigned: false, lang: 'fr_FR' });
    const [row] = await queue();
    expect(row).toMatchObject({ recipient: 'vera@customer.test', state: 'queued' });
    expect(row?.wait).toBeGreaterThan(5);
    expect(row?.wait).toBeLessThanOrEqual(10);
    const other = await world.person('Somebody else', ['base.group_user', 'crm.group_manager']);
    await expect(world.work((env) => takeBack(typedEnv(env), sent.id), other)).rejects.toThrow(
      'The message does not exist.',
    );
    expect(await world.work((env) => takeBack(typedEnv(env), sent.id), ada)).toEqual({
      ...{ to: ['vera@customer.test'], cc: [], subject: 'Terrace', body: 'Wrong *text*', files },
      ...{ isSigned: false, lang: 'fr_FR' },
    });
    expect(await queue()).toEqual([]);
    expect(await world.messages('crm.lead', id)).toEqual([]);
  });

  it('OUM-2 not once the mail server has it for anybody; a repeated post is one message', async () => {
    server.accepted.length = 0;
    const id = await lead();
    const first = await send(id, { key: 'abc' });
    expect(await send(id, { key: 'abc' })).toEqual(first);
    await expect(send(id, { key: 'abc', body: 'Other words' })).rejects.toThrow(
      'The message was sent already, without what you changed since.',
    );
    expect(await queue()).toHaveLength(1);
    await due();
    deliver();
    await delivered(1);
    await vi.waitFor(async () => expect(await queue()).toMatchObject([{ state: 'sent' }]), {
      timeout: 120_000,
      interval: 20,
    });
    await expect(world.work((env) => takeBack(typedEnv(env), first.id), ada)).rejects.toThrow(
      'It has been sent already.',
    );
    await expect(world.work((env) => reschedule(typedEnv(env), first.id, '2026-12-24T10:00:00Z'), ada)).rejects.toThrow(
      'It has been sent already.',
    );
    const two = await send(id, { to: ['a@customer.test', 'b@customer.test'] });
    await world.kernel.database.execute(sql`
      update mail_queue set state = 'sending', locked_until = now() + interval '1 minute' where recipient = 'b@customer.test'`);
    await expect(world.work((env) => takeBack(typedEnv(env), two.id), ada)).rejects.toThrow(
      'It has been sent already.',
    );
    expect((await queue()).filter(({ recipient }) => recipient !== 'vera@customer.test')).toHaveLength(2);
  });
});

it('OUM-3 a message is sent later, listed for its author and moved until then', async () => {
  const id = await lead({ name: 'Later' });
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const sent = await send(id, { at });
  expect(sent.sendAt).toBe(at);
  expect((await queue())[0]?.wait).toBeGreaterThan(86_000);
  const listed = (who: Actor) => world.work((env) => scheduledMessages(typedEnv(env)), who);
  expect(await listed(ada)).toMatchObject([{ id: sent.id, name: 'Later', to: ['vera@customer.test'], sendAt: at }]);
  expect(await listed(world.admin)).toEqual([]);
  const next = new Date(Date.now() + 2 * 86_400_000).toISOString();
  await world.work((env) => reschedule(typedEnv(env), sent.id, next), ada);
  expect((await queue())[0]?.wait).toBeGreaterThan(172_000);
  await expect(world.work((env) => reschedule(typedEnv(env), sent.id, next), world.admin)).rejects.toThrow(
    'The message does not exist.',
  );
  await expect(send(id, { at: '2001-01-01T00:00:00Z' })).rejects.toThrow('Choose a time in the future');
  await expect(send(id, { at: 'soon' })).rejects.toThrow('at must be a time.');
});

it('OUM-4 only colleagues who may comment send, to real addresses, with one subject line', async () => {
  const id = await lead();
  const stranger = await world.person('Stranger', ['base.group_user', 'crm.group_user']);
  await expect(send(id, {}, stranger)).rejects.toThrow('A record rule does not let you read this Lead.');
  const guest = await world.person('Guest', ['base.group_portal']);
  await expect(send(id, {}, guest)).rejects.toThrow('Only users may send e-mail.');
  await expect(send(id, { to: [] })).rejects.toThrow('Add a recipient.');
  await expect(send(id, { to: ['a@b.test\r\nBcc: all@customer.test'] })).rejects.toThrow('is not an e-mail address.');
  await expect(send(id, { to: ['Vera <a@b.test>, c@d.test'] })).rejects.toThrow('is not an e-mail address.');
  const many = Array.from({ length: 21 }, (_, n) => `p${n}@customer.test`);
  await expect(send(id, { to: many })).rejects.toThrow('A message has at most 20 recipients.');
  server.accepted.length = 0;
  await send(id, { subject: 'Hello\r\nBcc: all@customer.test' });
  await due();
  deliver();
  await delivered(1);
  expect(server.accepted[0]).not.toMatch(/^Bcc:/im);
  expect(server.accepted[0]).toContain('Subject: Hello Bcc: all@customer.test');
});

it('OUM-5 an internal note stands in the chatter alone: no mail, feed, webhook, event, log or inbox has it', async () => {
  const note = 'Zebra margin is 41 percent';
  const contact = await world.server((env) =>
    env.model('core.partner').create({ name: 'Vera', email: 'vera.note@customer.test' }),
  );
  const id = await lead({ partner_id: contact });
  for (const model of ['crm.lead', 'core.partner'])
    await world.work((env) =>
      env.model('webhook.subscription').create({ name: model, model, url: 'https://example.com/hook' }),
    );
  const to = await world.server((env) => replyAddress(typedEnv(env), { ...thread(id), companyId: 1 }));
  await world.take(letter({ To: to as string, From: 'Vera <vera.note@customer.test>' }, 'Question'));
  await world.work((env) => postComment(typedEnv(env), thread(id), note), ada);
  await world.work((env) => env.model('crm.lead').write([id], { name: 'Changed' }), ada);
  await send(id, { to: ['vera.note@customer.test'], body: 'An answer' });
  await world.take(letter({ To: to as string, From: 'Vera <vera.note@customer.test>' }, 'Another question'));
  await world.work((env) => wakeConversations(typedEnv(env)));
  server.accepted.length = 0;
  await due();
  deliver();
  await delivered(1);
  expect(server.accepted.join()).not.toContain('Zebra');
  const shown = await world.work(
    (env) => readInbox(typedEnv(env), { folder: 'open', mailbox: null, text: 'Zebra', id: null, limit: 9 }),
    ada,
  );
  expect(shown.conversations).toEqual([]);
  const tables = await world.kernel.database.query<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const [row] = await world.kernel.database.query<{ found: boolean }>(
      sql`select exists (select from ${ident(name)} t where t::text like '%Zebra%') as found`,
    );
    if (row?.found) holding.push(name);
  }
  expect(holding).toEqual(['mail_message']);
});

it('IBX-7 a message that nobody answered yet is found in the inbox by who may read its record, and is closed until then', async () => {
  const id = await lead();
  const inbox = (folder: 'open' | 'closed', text: string, who = ada) =>
    world.work(async (env) => {
      const page = await readInbox(typedEnv(env), { folder, mailbox: null, text, id: null, limit: 9 });
      return page.conversations;
    }, who);
  const { id: message } = await send(id, { subject: 'Quagga offer', body: 'Forty lamps' });
  expect(await inbox('open', '')).not.toContainEqual(expect.objectContaining({ recordId: id }));
  expect(await inbox('closed', '')).toContainEqual(
    expect.objectContaining({ recordId: id, subject: 'Quagga offer', isOurs: true, isUnread: false, count: 1 }),
  );
  expect(await inbox('open', 'quagga')).toMatchObject([{ recordId: id }]);
  const other = await world.person('Other seller', ['base.group_user', 'crm.group_user']);
  expect(await inbox('open', 'quagga', other)).toEqual([]);
  await world.work((env) => takeBack(typedEnv(env), message), ada);
  expect(await inbox('open', 'quagga')).toEqual([]);
  await send(id, { subject: 'Quagga offer' });
  const to = await world.server((env) => replyAddress(typedEnv(env), { ...thread(id), companyId: 1 }));
  await world.take(letter({ To: to as string, Subject: 'Re: Quagga offer' }, 'Yes'));
  expect(await inbox('open', '')).toContainEqual(
    expect.objectContaining({ recordId: id, state: 'open', isUnread: true, count: 2 }),
  );
});
