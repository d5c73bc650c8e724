import { sql } from '@kontor/database';
import { type Actor, typedEnv } from '@kontor/orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerInvitation } from '../invitation/answer-invitation.ts';
import type { InvitationAnswer } from '../invitation/read-invitation.ts';
import { letter, type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;
let ada: Actor;
beforeAll(async () => {
  world = await mailboxWorld({
    modules: ['calendar'],
    env: { KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: '1', KONTOR_SMTP_FROM: 'Office <office@kontor.test>' },
  });
  ada = await world.person('Ada Vogel', ['base.group_user', 'mail.group_inbox'], {
    ...{ tz: 'Europe/Berlin', email: 'ada@kontor.test' },
  });
});
afterAll(() => world.close());

const calendar = (uid: string, lines: string, method = 'REQUEST') =>
  `BEGIN:VCALENDAR\nMETHOD:${method}\nBEGIN:VEVENT\nUID:${uid}\nSUMMARY:Tasting\n${lines}\nORGANIZER:mailto:vera@customer.test\nATTENDEE:mailto:office@kontor.test\nEND:VEVENT\nEND:VCALENDAR`;
const hour = (day: string, at = '09') => `DTSTART:${day}T${at}0000Z\nDTEND:${day}T${at}3000Z`;
const take = (body: string, from = 'vera@customer.test', to = 'office@kontor.test') =>
  world.take(letter({ From: from, To: to, 'Content-Type': 'text/calendar' }, body));
const answer = (id: number, given: InvitationAnswer) =>
  world.work((env) => answerInvitation(typedEnv(env), { model: 'mail.incoming', id }, given), ada);
const entered = (uid: string) =>
  world.work(
    (env) =>
      env
        .model('calendar.event')
        .searchRead([['invitation_uid', '=', uid]], ['name', 'start', 'stop', 'all_day', 'place', 'series_id']),
    ada,
  );
const answersOf = (event: number) =>
  world.server(async (env) =>
    (await env.model('calendar.person').searchRead([['event_id', '=', event]], ['name', 'answer'])).map(
      (row) => `${row.name}: ${row.answer}`,
    ),
  );

describe('MTG-25 invitations by e-mail', () => {
  it('MTG-25 who accepts has the meeting, changed by a new answer, and no more when it is declined', async () => {
    const first = await take(calendar('one@x', `${hour('20270114')}\nLOCATION:Hall 3`));
    await answer(first.id, 'maybe');
    const [event, ...more] = await entered('one@x');
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      ...{ name: 'Tasting', start: '2027-01-14T09:00:00.000Z', stop: '2027-01-14T09:30:00.000Z', place: 'Hall 3' },
    });
    expect(await answersOf(event?.id as number)).toContain('Ada Vogel: maybe');
    const moved = await take(calendar('one@x', hour('20270115')));
    await answer(moved.id, 'yes');
    expect(await entered('one@x')).toMatchObject([{ id: event?.id, start: '2027-01-15T09:00:00.000Z', place: null }]);
    expect(await answersOf(event?.id as number)).toContain('Ada Vogel: yes');
    await answer(moved.id, 'no');
    expect(await entered('one@x')).toEqual([]);
  });

  it('MTG-25 a series is entered as one where its rule can be kept, and a day as a day', async () => {
    const weekly = await take(calendar('series@x', `${hour('20270107')}\nRRULE:FREQ=WEEKLY;COUNT=3;BYDAY=TH`));
    await answer(weekly.id, 'yes');
    expect((await entered('series@x')).length + (await seriesOf('series@x'))).toBeGreaterThanOrEqual(3);
    const odd = await take(calendar('odd@x', `${hour('20270107')}\nRRULE:FREQ=YEARLY;BYDAY=20MO`));
    await answer(odd.id, 'yes');
    expect(await entered('odd@x')).toHaveLength(1);
    const day = await take(calendar('day@x', 'DTSTART;VALUE=DATE:20270120\nDTEND;VALUE=DATE:20270122'));
    await answer(day.id, 'yes');
    expect(await entered('day@x')).toMatchObject([
      { all_day: true, start: '2027-01-20T00:00:00.000Z', stop: '2027-01-22T00:00:00.000Z' },
    ]);
  });
  const seriesOf = async (uid: string) => {
    const [event] = await entered(uid);
    return world.work(
      (env) =>
        env.model('calendar.event').count([
          ['series_id', '=', event?.series_id ?? 0],
          ['invitation_uid', '=', null],
        ]),
      ada,
    );
  };

  it('MTG-25 a meeting that its organiser cancels says so and keeps nobody busy; a stranger cancels nothing', async () => {
    const row = await take(calendar('gone@x', hour('20270116')));
    await answer(row.id, 'yes');
    await take(calendar('gone@x', hour('20270116'), 'CANCEL'), 'mallory@example.com');
    expect(await entered('gone@x')).toMatchObject([{ name: 'Tasting' }]);
    await take(calendar('gone@x', hour('20270116'), 'CANCEL'));
    const [event] = await entered('gone@x');
    expect(event?.name).toBe('Cancelled: Tasting');
    expect(await answersOf(event?.id as number)).toContain('Ada Vogel: no');
  });
});

describe('MTG-26 answers of guests', () => {
  it('MTG-26 a guest’s calendar answers to the reply address of the meeting; only the guest’s own address counts', async () => {
    const guest = await world.server((env) =>
      env.model('core.partner').create({ name: 'Gil', email: 'Gil@guests.test' }),
    );
    const id = await world.work(
      (env) =>
        env.model('calendar.event').create({
          ...{ name: 'Cupping', start: '2027-02-01T09:00:00Z', stop: '2027-02-01T10:00:00Z' },
          partner_ids: [['set', [guest]]],
        }),
      ada,
    );
    await world.work((env) => env.model('calendar.event').call([id], 'invite_guests'), ada);
    const [mail] = await world.kernel.database.query<{ files: string }>(
      sql`select attachments::text as files from mail_queue where recipient = 'Gil@guests.test'`,
    );
    const [file] = JSON.parse(mail?.files ?? '[]') as { content: string; calendarMethod?: string }[];
    expect(file?.calendarMethod).toBe('REQUEST');
    const asked = Buffer.from(file?.content ?? '', 'base64')
      .toString()
      .replaceAll('\r\n ', '');
    expect(asked).toContain('METHOD:REQUEST\r\n');
    const [, organiser = ''] = /ORGANIZER;CN="Ada Vogel":mailto:(\S+)/.exec(asked) ?? [];
    expect(organiser).toMatch(/^office\+/);
    const reply = (state: string, who = 'gil@guests.test') =>
      `BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nUID:meeting-${id}@kontor\nATTENDEE;PARTSTAT=${state}:mailto:${who}\nEND:VEVENT\nEND:VCALENDAR`;
    await take(reply('DECLINED'), 'mallory@example.com', organiser);
    expect(await answersOf(id)).toContain('Gil: asked');
    await take(reply('ACCEPTED'), 'gil@guests.test', organiser);
    expect(await answersOf(id)).toContain('Gil: yes');
    expect(await world.messages('calendar.event', id)).toHaveLength(2);
  });
});
