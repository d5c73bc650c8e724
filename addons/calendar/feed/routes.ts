import { hash } from 'node:crypto';
import {
  inNameOf,
  KontorError,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
  text,
  wordsIn,
} from '@kontor/addon';
import { feedPath, ownerOf } from './address.ts';
import { calendarText, ownMeetings } from './icalendar.ts';

export const feedRoutes: readonly RouteSpec[] = [{ method: 'GET', path: feedPath, auth: 'none', handler: sendFeed }];

/** A user's meetings, with their rights, for anyone who has their address. A wrong address reveals nothing. */
async function sendFeed({ env, params, headers }: RouteRequest): Promise<RouteAnswer> {
  const owner = await ownerOf(env, params.secret ?? '');
  const theirs = owner === null ? null : await inNameOf(env, owner);
  if (theirs === null) throw new KontorError('NOT_FOUND');
  // As the server: one's own name, in one's own calendar.
  const [user] = await env.sudo().model('core.user').read([theirs.uid], ['name']);
  const { say } = wordsIn(env, theirs.actor.lang, 'calendar');
  const body = calendarText(
    say(text('Meetings of {name}', { name: user?.name ?? '' })),
    await ownMeetings(theirs),
    env.now,
  );
  const etag = `"${hash('sha256', body).slice(0, 32)}"`;
  const common = { etag, 'cache-control': 'private, no-cache' };
  if (headers['if-none-match'] === etag) return { status: 304, headers: common };
  return { headers: { ...common, 'content-type': 'text/calendar; charset=utf-8' }, body };
}
