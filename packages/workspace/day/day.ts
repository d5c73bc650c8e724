import type { Kernel } from '@kontor/kernel';
import { type Env, typedEnv } from '@kontor/orm';
import { type DayData, dateIn, type FollowedChange } from '@kontor/protocol';
import type { UserSettings } from '../settings/load-user-settings.ts';
import { dueItems } from './due-items.ts';
import { recentRecords } from './recent.ts';

/** The setting that holds when the person last looked at what they follow. */
const seenSetting = 'home.seen';
const shownChanges = 6;

/** All that a person sees of their day, under their rights. */
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

/** What addons tell of others' work, the newest first. */
async function followedChanges({ loaded }: Kernel, env: Env): Promise<readonly FollowedChange[]> {
  const tellers = [...loaded.definitions.values()].flatMap(({ followed }) => followed ?? []);
  const told = await Promise.all(tellers.map((tell) => tell({ env: typedEnv(env), limit: shownChanges })));
  return told
    .flat()
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, shownChanges);
}
