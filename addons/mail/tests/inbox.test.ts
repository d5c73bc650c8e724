import type { Actor } from '@kontor/orm';
import { typedEnv } from '@kontor/orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeConversations, type InboxChange, snoozeEnd, wakeConversations } from '../inbox/change-conversation.ts';
import { keepSent } from '../inbox/keep-conversation.ts';
import { type InboxQuestion, readInbox } from '../inbox/read-inbox.ts';
import { suggestPlaces } from '../inbox/suggest-places.ts';
import { replyAddress } from '../incoming/reply-address.ts';
import { letter, type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;
beforeAll(async () => {
  world = await mailboxWorld();
});
afterAll(() => world.close());

const everything: InboxQuestion = { folder: 'open', mailbox: null, text: '', id: null, limit: 100 };
const inbox = (who: Actor, asked: Partial<InboxQuestion> = {}) =>
  world.work((env) => readInbox(typedEnv(env), { ...everything, ...asked }), who);
const change = (who: Actor, ids: readonly number[], what: InboxChange) =>
  world.work((env) => changeConversations(typedEnv(env), ids, what), who);
const clerk = (name: string) => world.person(name, ['base.group_user', 'mail.group_inbox', 'crm.group_user']);
const seller = (name: string) => world.person(name, ['base.group_user', 'crm.group_user']);

/** An e-mail that answers a lead. */
async function answer(lead: number, headers: Readonly<Record<string, string>> = {}, body = 'Hello') {
  const to = await world.server((env) =>
    replyAddress(typedEnv(env), { model: 'crm.lead', id: lead, companyId: world.admin.companyId as number }),
  );
  return world.take(letter({ To: to as string, Subject: 'Terrace', ...headers }, body));
}
const only = async (who: Actor, asked: Partial<InboxQuestion> = {}) => {
  const { conversations } = await inbox(who, asked);
  expect(conversations).toHaveLength(1);
  return conversations[0] as (typeof conversations)[number];
};

describe('IBX-1 conversations', () => {
  it('IBX-1 the e-mails of a record are one conversation, the newest first, and an answer opens it again', async () => {
    const ada = await seller('Ada 1');
    const lead = await world.lead({ name: 'Terrace, 60 seats', user_id: ada.uid });
    await answer(lead, {}, 'First');
    await answer(lead, { From: 'Bo <bo@customer.test>' }, 'Second');
    const shown = await only(ada);
    expect(shown).toMatchObject({
      ...{ model: 'crm.lead', recordId: lead, recordName: 'Terrace, 60 seats', subject: 'Terrace', sender: 'Bo' },
      ...{ preview: 'Second', count: 2, isUnread: true, state: 'open', assignee: null },
    });
    await change(ada, [shown.id], { do: 'close' });
    expect((await inbox(ada)).conversations).toEqual([]);
    expect((await only(ada, { folder: 'closed' })).state).toBe('closed');
    await answer(lead, { 'Auto-Submitted': 'auto-replied' }, 'I am away');
    expect((await inbox(ada)).conversations).toEqual([]);
    await answer(lead, {}, 'Third');
    expect(await only(ada)).toMatchObject({ preview: 'Third', count: 4, state: 'open' });
  });

  it('IBX-1 assigned, unread again, answered by somebody right now', async () => {
    const [ada, lena] = [await seller('Ada 2'), await seller('Lena')];
    const lead = await world.lead({ user_id: ada.uid });
    await answer(lead);
    const { id } = await only(ada);
    await change(ada, [id], { do: 'read' });
    expect((await only(ada)).isUnread).toBe(false);
    await answer(lead, {}, 'Another');
    expect((await only(ada)).isUnread).toBe(true);
    await change(ada, [id], { do: 'read' });
    await change(ada, [id], { do: 'unread' });
    expect((await only(ada)).isUnread).toBe(true);
    await change(ada, [id], { do: 'assign', user: ada.uid });
    expect(await only(ada, { folder: 'mine' })).toMatchObject({ assignee: { id: ada.uid, name: 'Ada 2' } });
    expect((await inbox(ada)).counts).toMatchObject({ open: 1, mine: 1, unassigned: 0 });
    await expect(change(ada, [id], { do: 'assign', user: lena.uid })).rejects.toThrow(
      'Lena may not read this conversation.',
    );
    await world.server((env) => env.model('core.user').write([lena.uid], {}));
    await change(ada, [id], { do: 'answering', on: true });
    expect((await only(ada)).answering).toBeNull();
    expect((await only(world.admin, { id })).answering).toBe('Ada 2');
    await change(ada, [id], { do: 'answering', on: false });
    expect((await only(world.admin, { id })).answering).toBeNull();
  });
});

describe('IBX-2 rights', () => {
  it('IBX-2 whoever may not read the record sees neither conversation nor count, nor finds it, nor changes it', async () => {
    const [ada, other] = [await seller('Ada 3'), await seller('Other')];
    const lead = await world.lead({ user_id: ada.uid });
    await answer(lead, { Subject: 'Secret zebra' }, 'Zebra text');
    const { id } = await only(ada);
    const nothing = await inbox(other);
    expect(nothing).toMatchObject({ conversations: [], more: false, mailboxes: {} });
    expect(nothing.counts).toEqual({ open: 0, mine: 0, unassigned: 0, snoozed: 0, unsorted: 0 });
    expect((await inbox(other, { text: 'zebra' })).conversations).toEqual([]);
    expect((await inbox(other, { id })).conversations).toEqual([]);
    expect((await only(ada, { text: 'ZEBRA' })).id).toBe(id);
    for (const what of [{ do: 'close' }, { do: 'read' }, { do: 'assign', user: null }] as const)
      await expect(change(other, [id], what)).rejects.toThrow('The conversation does not exist.');
    await expect(change(other, [99_999_999], { do: 'close' })).rejects.toThrow('The conversation does not exist.');
    await world.server((env) => env.model('crm.lead').unlink([lead]));
    expect((await inbox(ada)).conversations).toEqual([]);
  });

  it('IBX-2 unsorted e-mail of a team is for the team, and of another company for that company', async () => {
    const [mine, theirs] = [await clerk('Mine'), await clerk('Theirs')];
    const box = await world.addMailbox({ address: 'team@kontor.test', member_ids: [['link', mine.uid]] });
    await world.take(letter({ To: 'team@kontor.test', Subject: 'For the team' }), box);
    expect(await only(mine, { folder: 'unsorted', mailbox: box })).toMatchObject({ subject: 'For the team' });
    expect((await inbox(theirs, { folder: 'unsorted', mailbox: box })).conversations).toEqual([]);
    expect((await inbox(theirs, { text: 'For the team' })).conversations).toEqual([]);
    expect(await world.work((env) => env.model('mail.mailbox').search([['id', '=', box]]), theirs)).toEqual([]);
    const company = await world.addCompany('Elsewhere');
    const far = await world.addMailbox({ address: 'far@kontor.test', company_id: company });
    await world.take(letter({ To: 'far@kontor.test', Subject: 'Far away' }), far);
    expect((await inbox(mine, { folder: 'unsorted', mailbox: far })).conversations).toEqual([]);
    const reader = await seller('No clerk');
    expect((await inbox(reader, { folder: 'unsorted' })).counts.unsorted).toBe(0);
  });
});

describe('IBX-3 snooze', () => {
  it('IBX-3 ends by the job, unread for whoever snoozed it; an answer ends it too', async () => {
    const ada = await seller('Ada 4');
    const lead = await world.lead({ user_id: ada.uid });
    await answer(lead);
    const { id } = await only(ada);
    await change(ada, [id], { do: 'read' });
    await change(ada, [id], { do: 'snooze', until: 'tomorrow' });
    expect((await inbox(ada)).counts).toMatchObject({ open: 0, snoozed: 1 });
    await world.server((env) =>
      env.model('mail.conversation').write([id], { snoozed_until: '2020-01-01T00:00:00.000Z' }),
    );
    expect(await only(ada)).toMatchObject({ state: 'open', isUnread: false });
    await world.work((env) => wakeConversations(typedEnv(env)));
    expect(await world.read('mail.conversation', id, ['state', 'snoozed_until'])).toMatchObject({
      state: 'open',
      snoozed_until: null,
    });
    expect((await only(ada)).isUnread).toBe(true);
    await change(ada, [id], { do: 'snooze', until: 'monday' });
    await answer(lead, {}, 'Sooner');
    expect(await only(ada)).toMatchObject({ state: 'open', snoozedUntil: null });
    await expect(change(ada, [id], { do: 'snooze', until: '2001-01-01T00:00:00Z' })).rejects.toThrow(
      'Choose a time in the future, at most a year from now.',
    );
    await expect(change(ada, [id], { do: 'snooze', until: 'whenever' })).rejects.toThrow('until must be a time.');
  });

  it('IBX-3 words are meant in the time zone of the person, also over a change of clocks', () => {
    const end = (now: string, tz: string, until: string) =>
      snoozeEnd({ now: new Date(now), actor: { tz } } as Parameters<typeof snoozeEnd>[0], until);
    expect(end('2026-10-24T20:00:00Z', 'Europe/Berlin', 'tomorrow')).toBe('2026-10-25T07:00:00.000Z');
    expect(end('2026-11-18T23:30:00Z', 'Asia/Tokyo', 'tomorrow')).toBe('2026-11-19T23:00:00.000Z');
    expect(end('2026-11-18T12:00:00Z', 'America/New_York', 'monday')).toBe('2026-11-23T13:00:00.000Z');
    expect(end('2026-11-23T12:00:00Z', 'UTC', 'monday')).toBe('2026-11-30T08:00:00.000Z');
    expect(end('2026-11-18T12:00:00Z', 'UTC', 'later')).toBe('2026-11-18T15:00:00.000Z');
  });
});

describe('IBX-4 filing', () => {
  it('IBX-4 suggests records by number, by earlier e-mails and by contact, only those one may comment on', async () => {
    const own = await clerk('Filer');
    const contact = await world.server((env) =>
      env.model('core.partner').create({ name: 'Vera', email: 'vera@customer.test' }),
    );
    const named = await world.lead({ name: 'Offer Q-4711', user_id: own.uid });
    const ofContact = await world.lead({ name: 'Vera’s lamps', user_id: own.uid, partner_id: contact });
    const hidden = await world.lead({ name: 'Q-4711 of another', user_id: world.admin.uid, partner_id: contact });
    const row = await world.take(letter({ From: 'Vera <vera@customer.test>', Subject: 'About Q-4711, please' }));
    const suggest = (typed = '') => world.work((env) => suggestPlaces(typedEnv(env), row.id, typed), own);
    const places = await suggest();
    expect(places.filter(({ model }) => model === 'crm.lead').map(({ id }) => id)).toEqual([named, ofContact]);
    expect(places.map(({ id }) => id)).not.toContain(hidden);
    expect((await suggest('lamps')).map(({ name }) => name)).toEqual(['Vera’s lamps']);
    const waiting = (await inbox(own, { folder: 'unsorted' })).conversations.find(
      ({ recordId }) => recordId === row.id,
    );
    await change(own, [waiting?.id as number], { do: 'assign', user: own.uid });
    await world.work((env) => env.model('mail.incoming').call([row.id], 'file', { record: `crm.lead,${named}` }), own);
    expect(await only(own, { id: waiting?.id as number })).toMatchObject({
      ...{ model: 'crm.lead', recordId: named, count: 1, assignee: { id: own.uid } },
    });
    const again = await world.take(letter({ From: 'Vera <vera@customer.test>', Subject: 'One more thing' }));
    expect((await world.work((env) => suggestPlaces(typedEnv(env), again.id, ''), own))[0]).toMatchObject({
      id: named,
    });
    await world.work(
      (env) => env.model('mail.incoming').call([again.id], 'file', { record: `crm.lead,${named}` }),
      own,
    );
    const [left] = await world.server((env) =>
      env.model('mail.conversation').searchRead(
        [
          ['model', '=', 'crm.lead'],
          ['res_id', '=', named],
        ],
        ['message_count'],
      ),
    );
    expect(left).toMatchObject({ message_count: 2 });
  });

  it('IBX-4 deleted e-mails leave the inbox, and unreadable ones are in it', async () => {
    const own = await clerk('Cleaner');
    const row = await world.take(letter({ Subject: 'Spam' }));
    const has = async (id: number) =>
      (await inbox(own, { folder: 'unsorted' })).conversations.some(({ recordId }) => recordId === id);
    expect(await has(row.id)).toBe(true);
    await world.work((env) => env.model('mail.incoming').unlink([row.id]), own);
    expect(await has(row.id)).toBe(false);
    const dead = await world.server((env) =>
      env.model('mail.incoming').create({
        ...{ mailbox_id: world.mailbox, company_id: world.admin.companyId, fingerprint: 'x', size: 1, state: 'dead' },
      }),
    );
    await world.work((env) => wakeConversations(typedEnv(env)));
    await world.work((env) => wakeConversations(typedEnv(env)));
    expect(await has(dead)).toBe(true);
  });

  it('IBX-4 an e-mail that is filed after our answer opens the conversation and is unread', async () => {
    const own = await clerk('Late');
    const lead = await world.lead({ user_id: own.uid });
    const late = await world.take(letter({ Subject: 'Waits' }, 'Waited'));
    await answer(lead);
    const { conversations } = await inbox(own);
    const { id } = conversations.find(({ recordId }) => recordId === lead) as (typeof conversations)[number];
    await world.server((env) =>
      keepSent(
        typedEnv(env),
        { model: 'crm.lead', id: lead },
        { html: '<p>Ours</p>', subject: 'Terrace', to: ['ada@customer.test'], companyId: null },
      ),
    );
    await change(own, [id], { do: 'read' });
    await change(own, [id], { do: 'close' });
    await world.work((env) => env.model('mail.incoming').call([late.id], 'file', { record: `crm.lead,${lead}` }), own);
    expect(await only(own, { id })).toMatchObject({ state: 'open', isUnread: true, isOurs: true, count: 3 });
  });
});
