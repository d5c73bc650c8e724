import { type Env, notify, recordPath, type Text, text, wordsFor } from '@kontor/addon';
import type { Added } from './keep-people.ts';
import { whenText } from './time-words.ts';

/** Tells colleagues that they are asked to a meeting; nobody is told of what they do themselves. */
export async function tellInvited(env: Env, added: readonly Added[]): Promise<void> {
  const author = await authorName(env);
  for (const { eventId, userId } of added) {
    if (userId !== env.uid) await tell(env, userId, eventId, text('{author} asks you to a meeting', { author }));
  }
}

/** Tells those who did not decline that a meeting is at another time. */
export async function tellMoved(env: Env, ids: readonly number[]): Promise<void> {
  const author = await authorName(env);
  for (const { event_id: id, user_id: userId } of await comingColleagues(env, ids)) {
    if (userId !== env.uid) await tell(env, userId, id, text('{author} moved a meeting', { author }));
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

/** A notice in the client, in the words and on the clocks of who reads it. */
export async function tell(env: Env, userId: number, eventId: number, title: Text): Promise<void> {
  const { say, lang } = await wordsFor(env, userId, 'calendar');
  // As the server: they are of the meeting, so they may read it.
  const server = env.sudo();
  const [event] = await server
    .model('calendar.event')
    .read([eventId], ['name', 'start', 'stop', 'all_day', 'tz', 'place']);
  const [user] = await server.model('core.user').read([userId], ['tz']);
  if (!event || !user) return;
  const when = whenText(event, lang, user.tz);
  await notify(env, userId, {
    kind: 'info',
    title: say(title),
    body: [event.name, when, event.place].filter((part) => part).join(', '),
    href: recordPath('calendar.event', eventId),
  });
}

async function authorName(env: Env): Promise<string> {
  // As the server: one's own name, to people whom one meets.
  const [user] = await env
    .sudo()
    .model('core.user')
    .searchRead([['id', '=', env.uid]], ['name']);
  return user?.name ?? 'Kontor';
}
