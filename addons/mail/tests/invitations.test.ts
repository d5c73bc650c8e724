import { sql } from '@kontor/database';
import { type Actor, typedEnv } from '@kontor/orm';
import { startMail } from '@kontor/parts';
import { startMailServer, type TestMailServer } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readChatter } from '../chatter/read-chatter.ts';
import { parseMessage } from '../incoming/parse-message.ts';
import { withPictures } from '../incoming/picture-pages.ts';
import { replyAddress } from '../incoming/reply-address.ts';
import { answerInvitation, type InvitationPlace } from '../invitation/answer-invitation.ts';
import type { InvitationAnswer } from '../invitation/read-invitation.ts';
import { letter, type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

let server: TestMailServer;
let world: MailboxWorld;
let ada: Actor;
let worker: ReturnType<typeof startMail> | null = null;
beforeAll(async () => {
  server = await startMailServer();
  world = await mailboxWorld({
    env: {
      ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: String(server.port), KONTOR_SMTP_TLS: 'none' },
      KONTOR_SMTP_FROM: 'Nordlicht <office@kontor.test>',
    },
  });
  ada = await world.person('Ada Author', ['base.group_user', 'crm.group_user'], { email: 'ada@kontor.test' });
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

let meetings = 0;
const calendar = (attendee: string, more = '') =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:REQUEST', 'BEGIN:VEVENT', `UID:terrace-${++meetings}@customer.test`],
    ...['SEQUENCE:2', 'DTSTART:20270114T090000Z', 'DTEND:20270114T100000Z', 'SUMMARY:Terrace\\, 60 seats'],
    ...['ORGANIZER;CN=Vera:mailto:vera@customer.test', `ATTENDEE;CN=Office:mailto:${attendee}`],
    ...[...(more ? [more] : []), 'END:VEVENT', 'END:VCALENDAR'],
  ].join('\n');
/** An invitation on a lead of Ada. */
async function invited(attendee = 'office@kontor.test', more = '') {
  const lead = await world.lead({ user_id: ada.uid });
  const to = await world.server((env) =>
    replyAddress(typedEnv(env), { model: 'crm.lead', id: lead, companyId: world.admin.companyId as number }),
  );
  const type = { 'Content-Type': 'text/calendar; method=REQUEST', To: to as string };
  await world.take(letter({ From: 'Vera <vera@customer.test>', ...type }, calendar(attendee, more)));
  const [message] = await world.messages('crm.lead', lead);
  return { lead, place: { model: 'mail.message', id: message?.id as number } as const };
}
const answer = (place: InvitationPlace, given: InvitationAnswer, who = ada) =>
  world.work((env) => answerInvitation(typedEnv(env), place, given), who);
const queued = () =>
  world.kernel.database.query<{ recipient: string; subject: string; reply_to: string; sender: string | null }>(
    sql`select recipient, subject, reply_to, sender from mail_queue order by id`,
  );
const shown = async (lead: number, who = ada) => {
  const page = await world.work(
    (env) => readChatter(typedEnv(env), { model: 'crm.lead', id: lead }, { before: null, limit: 9 }),
    who,
  );
  return page.messages[0]?.mail;
};

describe('INM-19 invitations in e-mails', () => {
  it('INM-19 an answer goes to the organiser over SMTP as a REPLY that calendars read, in the name of whom it was sent to', async () => {
    const { lead, place } = await invited();
    expect(await shown(lead)).toMatchObject({ invitation: { kind: 'request', title: 'Terrace, 60 seats' } });
    await answer(place, 'maybe');
    expect(await queued()).toMatchObject([
      { recipient: 'vera@customer.test', subject: 'Tentative: Terrace, 60 seats', reply_to: 'office@kontor.test' },
    ]);
    server.accepted.length = 0;
    worker = startMail(world.kernel, 'worker');
    await vi.waitFor(() => expect(server.accepted).toHaveLength(1), { timeout: 120_000, interval: 20 });
    const sent = server.accepted[0] as string;
    expect(sent).toMatch(/multipart\/alternative/);
    expect(sent).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REPLY/);
    const reply = await parseMessage(Buffer.from(sent));
    expect(reply.invitation).toMatchObject({
      ...{ kind: 'reply', uid: `terrace-${meetings}@customer.test`, sequence: 2, title: 'Terrace, 60 seats' },
      ...{ organiser: { address: 'vera@customer.test' } },
      attendees: [{ name: 'Ada Author', address: 'office@kontor.test', answer: 'maybe' }],
    });
    expect(await shown(lead)).toMatchObject({ answer: { is: 'maybe', by: 'Ada Author' } });
  });

  it('INM-19 the same answer is sent once, also when it is given twice at the same time; another one replaces it', async () => {
    const { lead, place } = await invited();
    await Promise.all([answer(place, 'yes'), answer(place, 'yes')]);
    await answer(place, 'yes');
    expect(await queued()).toHaveLength(1);
    await answer(place, 'no');
    expect((await queued()).map(({ subject }) => subject)).toEqual([
      'Accepted: Terrace, 60 seats',
      'Declined: Terrace, 60 seats',
    ]);
    expect(await shown(lead)).toMatchObject({ answer: { is: 'no' } });
  });

  it('INM-19 a person who is invited answers in their own name, for one meeting of a series', async () => {
    const { place } = await invited('ada@kontor.test', 'RECURRENCE-ID;TZID=Europe/Berlin:20270114T100000');
    await answer(place, 'yes');
    expect(await queued()).toMatchObject([{ reply_to: 'ada@kontor.test' }]);
    const [row] = await world.kernel.database.query<{ files: string }>(
      sql`select attachments::text as files from mail_queue`,
    );
    const [file] = JSON.parse(row?.files ?? '[]') as { content: string }[];
    const text = Buffer.from(file?.content ?? '', 'base64').toString();
    expect(text).toContain('RECURRENCE-ID;TZID=Europe/Berlin:20270114T100000\r\n');
    expect(text.replaceAll('\r\n ', '')).toContain('ATTENDEE;PARTSTAT=ACCEPTED;CN="Ada Author":mailto:ada@kontor.test');
  });

  it('INM-19 only who may comment on the record answers, and a guessed message says nothing', async () => {
    const { place } = await invited();
    const other = await world.person('Other', ['base.group_user', 'crm.group_user']);
    await expect(answer(place, 'yes', other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(answer({ model: 'mail.message', id: 99_999_999 }, 'yes', other)).rejects.toThrow(
      'There is no invitation to answer.',
    );
    const guest = await world.person('Guest', ['base.group_portal']);
    await expect(answer(place, 'yes', guest)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await queued()).toEqual([]);
  });

  it('INM-19 one that waits unsorted is answered there, and keeps its answer when it is filed', async () => {
    const clerk = await world.person('Clerk', ['base.group_user', 'mail.group_inbox', 'crm.group_user']);
    const row = await world.take(
      letter(
        { From: 'Vera <vera@customer.test>', 'Content-Type': 'text/calendar; method=REQUEST' },
        calendar('office@kontor.test'),
      ),
    );
    expect(row).toMatchObject({ state: 'unsorted', invitation: { title: 'Terrace, 60 seats' } });
    await expect(answer({ model: 'mail.incoming', id: row.id }, 'yes', ada)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await answer({ model: 'mail.incoming', id: row.id }, 'yes', clerk);
    const lead = await world.lead({ user_id: clerk.uid });
    await world.work((env) => env.model('mail.incoming').call([row.id], 'file', { record: `crm.lead,${lead}` }), clerk);
    expect(await shown(lead, clerk)).toMatchObject({ answer: { is: 'yes', by: 'Clerk' } });
  });
});

describe('INM-16 pictures from other servers', () => {
  it('INM-16 take the place of their links on demand, and other links stay', async () => {
    const html = `<p><a href="https://cdn.test/a.png?x=1&amp;y=2" rel="noopener">[A "logo"]</a> <a href="https://shop.test/">[Shop]</a></p>`;
    expect(withPictures(html, 'https://cdn.test/a.png?x=1&y=2')).toBe(
      '<p><img src="https://cdn.test/a.png?x=1&amp;y=2" alt="A &quot;logo&quot;" referrerpolicy="no-referrer"> <a target="_blank" href="https://shop.test/">[Shop]</a></p>',
    );
  });

  it('INM-16 the discussion says how many there are, and stores their addresses with the e-mail', async () => {
    const lead = await world.lead({ user_id: ada.uid });
    const to = await world.server((env) =>
      replyAddress(typedEnv(env), { model: 'crm.lead', id: lead, companyId: world.admin.companyId as number }),
    );
    const body = '<p>Hi <img src="https://cdn.test/a.png"><img src="https://cdn.test/b.png" width="1"></p>';
    await world.take(letter({ To: to as string, 'Content-Type': 'text/html' }, body));
    expect(await shown(lead)).toMatchObject({ pictures: 1 });
    const [message] = await world.messages('crm.lead', lead);
    expect(withPictures(String(message?.body), String(message?.pictures))).toContain(
      '<img src="https://cdn.test/a.png"',
    );
  });
});
