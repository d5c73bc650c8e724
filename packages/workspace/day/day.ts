import type { Kernel } from '@kontor/kernel';
import { type Env, typedEnv } from '@kontor/orm';
import { type DayData, dateIn, type FollowedChange } from '@kontor/protocol';
import type { UserSettings } from '../settings/load-user-settings.ts';
import { dueItems } from './due-items.ts';
import { recentRecords } from './recent.ts';

/** The setting with the time when the user last looked at followed records. */
const seenSetting = 'home.seen';
const shownChanges = 6;

/** The user's day, with their rights. */
export async function dayOf(kernel: Kernel, env: Env, { values }: UserSettings): Promise<DayData> {
  const [due, recent, followed] = await Promise.all([dueItems(env), recentRecords(env), followedChanges(kernel, env)]);
  const seenAt = values.get(seenSetting);
  return {
    today: dateIn(env.actor.tz, env.now),
    ...due,
    recent,
    followed,
    seenAt: typeof seenAt === 'string' ? seenAt : '',
  };
}

/** Changes by others, reported by addons, newest first. */
async function followedChanges({ loaded }: Kernel, env: Env): Promise<readonly FollowedChange[]> {
  const tellers = [...loaded.definitions.values()].flatMap(({ followed }) => followed ?? []);
  const told = await Promise.all(tellers.map((tell) => tell({ env: typedEnv(env), limit: shownChanges })));
  return told
    .flat()
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, shownChanges);
}
