import type { Env, FollowedChange } from '@kontor/addon';
import { keyOf } from './following.ts';
import { type NewsMessage, newsFor, shownNews } from './news.ts';

/** How far back it looks, in days and in messages of others. */
const days = 14;
const looked = 400;

/** Recent messages and changes by others about records that the user follows: each record once, with the newest. */
export async function followedChanges(env: Env, limit: number): Promise<readonly FollowedChange[]> {
  const since = new Date(env.now.getTime() - days * 86_400_000);
  const { messages, names } = await newsFor(env, { since, looked });
  const newest = new Map<string, NewsMessage>();
  for (const message of messages) {
    const key = keyOf(message);
    if (!newest.has(key)) newest.set(key, message);
    if (newest.size === limit) break;
  }
  return shownNews(env, [...newest.values()], names);
}
