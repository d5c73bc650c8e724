import {
  composeMail,
  type Env,
  isMailAddress,
  type NoticeSpec,
  noticeWays,
  notify,
  queueMail,
  recordLink,
  recordPath,
  type Text,
  text,
  wordsFor,
} from '@kontor/addon';
import type { Added } from './keep-people.ts';
import { whenText } from './time-words.ts';

/** Of what people are told here; each chooses how in the profile. Reminders come as the meeting says. */
export const meetings: NoticeSpec = {
  name: 'calendar.meeting',
  label: text('Somebody asks you to a meeting, or moves one'),
  usual: 'client',
};

/** Tells colleagues that they are asked to a meeting; nobody is told of what they do themselves. */
export async function tellInvited(env: Env, added: readonly Added[]): Promise<void> {
  const author = await authorName(env);
  for (const { eventId, userId } of added) {
    if (userId !== env.uid)
      await tellAsChosen(env, userId, eventId, text('{author} asks you to a meeting', { author }));
  }
}

/** Tells those who did not decline that a meeting is at another time. */
export async function tellMoved(env: Env, ids: readonly number[]): Promise<void> {
  const author = await authorName(env);
  for (const { event_id: id, user_id: userId } of await comingColleagues(env, ids)) {
    if (userId !== env.uid) await tellAsChosen(env, userId, id, text('{author} moved a meeting', { author }));
  }
}

/** As the server: whoever moves a meeting need not know who it is told to. */
export async function comingColleagues(env: Env, ids: readonly number[]) {
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

async function tellAsChosen(env: Env, userId: number, eventId: number, title: Text): Promise<void> {
  const ways = (await noticeWays(env, [userId], meetings)).get(userId);
  if (ways?.inClient) await tell(env, userId, eventId, title);
  if (ways?.byMail) await tellByMail(env, userId, eventId, title);
}

/** A notice in the client, in the words and on the clocks of who reads it. */
export async function tell(env: Env, userId: number, eventId: number, title: Text): Promise<void> {
  const known = await readMeeting(env, userId, eventId);
  if (!known) return;
  const { say } = await wordsFor(env, userId, 'calendar');
  await notify(env, userId, {
    kind: 'info',
    title: say(title),
    body: [known.name, known.when, known.place].filter((part) => part).join(', '),
    href: recordPath('calendar.event', eventId),
  });
}

async function tellByMail(env: Env, userId: number, eventId: number, title: Text): Promise<void> {
  const known = await readMeeting(env, userId, eventId);
  if (!known?.email || !isMailAddress(known.email)) return;
  const { name, when, place } = known;
  const href = await recordLink(env, 'calendar.event', eventId);
  const words = await wordsFor(env, userId, 'calendar');
  await queueMail(
    env,
    composeMail({
      ...{ to: known.email, words, subject: title },
      paragraphs: [name, when, ...(place ? [place] : [])],
      button: href ? { label: text('Open {name}', { name }), href } : null,
    }),
  );
}

/** A meeting as somebody reads it who is of it. */
async function readMeeting(env: Env, userId: number, eventId: number) {
  const { lang } = await wordsFor(env, userId, 'calendar');
  // As the server: they are of the meeting, so they may read it.
  const server = env.sudo();
  const [event] = await server
    .model('calendar.event')
    .read([eventId], ['name', 'start', 'stop', 'all_day', 'tz', 'place']);
  const [user] = await server.model('core.user').read([userId], ['tz', 'email']);
  if (!event || !user) return null;
  return { name: event.name, place: event.place, when: whenText(event, lang, user.tz), email: user.email };
}

async function authorName(env: Env): Promise<string> {
  // As the server: one's own name, to people whom one meets.
  const [user] = await env
    .sudo()
    .model('core.user')
    .searchRead([['id', '=', env.uid]], ['name']);
  return user?.name ?? 'Kontor';
}
