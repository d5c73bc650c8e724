import { whenText } from '@addons/mail';
import { type Env, type Loaded, queueMail, recordLink, textMail, wordsFor, wordsIn } from '@kontor/addon';
import { meetingReminder } from '../people/meeting-texts.ts';
import { attendingColleagues, type Meeting, remindInClient } from '../people/tell-people.ts';
import { beginOf } from '../series/times.ts';

/** A reminder this long after the start is useless. */
const graceMs = 10 * 60_000;
const batch = 200;
const paths = ['name', 'start', 'stop', 'all_day', 'tz', 'place', 'organiser_id.company_id.id'] as const;
type DueMeeting = Meeting & Loaded<'calendar.event', (typeof paths)[number]>;

/**
 * Sends due reminders. Each reminder is sent once: those before `reminded_until` were sent, and it is updated in the same
 * transaction. The job acts as the server, for the attendees of each meeting. Returns whether there may be more.
 */
export async function sendReminders(env: Env): Promise<boolean> {
  const now = env.now.getTime();
  const events = env.sudo().model('calendar.event');
  const found = [['remind_at', '<=', env.now.toISOString()]] as const;
  const ids = await events.search(found, { order: 'remind_at, id', limit: batch });
  const due = await events.load(ids, [...paths, 'reminded_until', 'reminder_ids.minutes', 'reminder_ids.by']);
  for (const event of due) {
    const begins = beginOf(event);
    const sent = event.reminded_until === null ? 0 : Date.parse(event.reminded_until);
    const ways = event.reminder_ids
      .map(({ minutes, by }) => ({ by, at: begins - minutes * 60_000 }))
      .filter(({ at }) => at > sent && at <= now);
    if (now <= begins + graceMs) {
      if (ways.some(({ by }) => by === 'notice')) await remindByNotice(env, event);
      if (ways.some(({ by }) => by === 'mail')) await remindByMail(env, event);
    }
  }
  if (ids.length > 0) await events.write(ids, { reminded_until: env.now.toISOString() });
  return ids.length === batch;
}

async function remindByNotice(env: Env, event: Meeting): Promise<void> {
  for (const { user_id: userId } of await attendingColleagues(env, [event.id])) {
    await remindInClient(env, userId, event);
  }
}

/** To colleagues, and to guests who were invited by email. */
async function remindByMail(env: Env, event: DueMeeting): Promise<void> {
  const server = env.sudo();
  const lines = await server
    .model('calendar.person')
    .searchRead(
      [
        ['event_id', '=', event.id],
        ['answer', '!=', 'no'],
        '|',
        ['user_id.active', '=', true],
        ['invited_at', '!=', null],
      ],
      ['user_id', 'user_id.email', 'user_id.tz', 'partner_id.email', 'partner_id.lang'],
    );
  const link = await recordLink(env, 'calendar.event', event.id);
  for (const line of lines) {
    const to = line['user_id.email'] ?? line['partner_id.email'];
    if (!to) continue;
    const words =
      line.user_id === null
        ? wordsIn(env, line['partner_id.lang'] ?? 'en_US', 'calendar')
        : await wordsFor(env, line.user_id, 'calendar');
    const when = whenText(event, words.lang, line['user_id.tz'] ?? event.tz);
    const mail = await textMail(env, meetingReminder, {
      ...{ to, lang: words.lang, companyId: event.organiser_id.company_id.id },
      ...{ values: { name: event.name, when, place: event.place }, href: line.user_id === null ? null : link },
    });
    await queueMail(env, mail);
  }
}
