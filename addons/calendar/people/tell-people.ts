import { whenText } from '@addons/mail';
import { type Env, type NoticeSpec, notify, recordPath, type Text, tellPerson, text, wordsFor } from '@kontor/addon';
import type { Added } from './keep-people.ts';

export interface Meeting {
  readonly id: number;
  readonly name: string;
  readonly start: string;
  readonly stop: string;
  readonly all_day: boolean;
  readonly tz: string;
  readonly place: string | null;
}

/** Notifications; each user chooses in the profile how to receive them. Reminders follow the meeting. */
export const meetings: NoticeSpec = {
  name: 'calendar.meeting',
  label: text('Someone invites you to a meeting or moves one'),
  usual: 'client',
};

/** Notifies colleagues of an invitation, except for their own actions. */
export async function tellInvited(env: Env, added: readonly Added[]): Promise<void> {
  const author = await authorName(env);
  for (const { eventId, userId } of added) {
    if (userId !== env.uid)
      await notifyAsChosen(env, userId, eventId, text('{author} invited you to a meeting', { author }));
  }
}

/** Notifies attendees who did not decline that a meeting was moved. */
export async function tellMoved(env: Env, ids: readonly number[]): Promise<void> {
  const author = await authorName(env);
  for (const { event_id: id, user_id: userId } of await attendingColleagues(env, ids)) {
    if (userId !== env.uid) await notifyAsChosen(env, userId, id, text('{author} moved a meeting', { author }));
  }
}

/** As the server: a user who moves a meeting need not know who is notified. */
export async function attendingColleagues(env: Env, ids: readonly number[]) {
  const lines = await env
    .sudo()
    .model('calendar.person')
    .searchRead(
      [
        ['event_id', 'in', ids],
        ['user_id.active', '=', true],
        ['answer', '!=', 'no'],
      ],
      ['event_id', 'user_id'],
    );
  return lines.flatMap(({ event_id, user_id }) => (user_id === null ? [] : { event_id, user_id }));
}

async function notifyAsChosen(env: Env, userId: number, eventId: number, title: Text): Promise<void> {
  const event = await readMeeting(env, eventId);
  if (!event) return;
  await tellPerson(env, userId, meetings, ({ lang, tz }) => {
    const lines = linesOf(event, lang, tz);
    const about = { model: 'calendar.event', id: event.id, name: event.name };
    return { title, body: lines.join(', '), about, mail: { paragraphs: lines } };
  });
}

/** A notification in the client, whatever the user chose: the meeting requires it. */
export async function remindInClient(env: Env, userId: number, event: Meeting): Promise<void> {
  // As the server: the time zone of others is shown only to them.
  const [user] = await env.sudo().model('core.user').read([userId], ['tz']);
  if (!user) return;
  const { lang, say } = await wordsFor(env, userId, 'calendar');
  await notify(env, userId, {
    kind: 'info',
    title: say('A meeting begins soon'),
    body: linesOf(event, lang, user.tz).join(', '),
    href: recordPath('calendar.event', event.id),
  });
}

/** As the server: only attendees are notified, and they may read the meeting. */
async function readMeeting(env: Env, eventId: number) {
  const fields = ['name', 'start', 'stop', 'all_day', 'tz', 'place'] as const;
  const [event] = await env.sudo().model('calendar.event').read([eventId], fields);
  return event ?? null;
}

/** What, when and where, in the time zone of the recipient. */
export function linesOf(event: Meeting, lang: string, tz: string): readonly string[] {
  return [event.name, whenText(event, lang, tz), ...(event.place ? [event.place] : [])];
}

async function authorName(env: Env): Promise<string> {
  // As the server: the user's own name, for people they meet.
  const [user] = await env
    .sudo()
    .model('core.user')
    .searchRead([['id', '=', env.uid]], ['name']);
  return user?.name ?? 'Kontor';
}
