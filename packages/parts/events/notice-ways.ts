import type { NoticeSpec } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import type { NoticeWay } from '@kontor/protocol';

/** The key of the personal setting: channels by notification name. */
export const noticesSetting = 'notices';

const ways: ReadonlySet<unknown> = new Set<NoticeWay>(['client', 'mail', 'both', 'none']);

export interface NoticeWays {
  readonly inClient: boolean;
  readonly byMail: boolean;
}

/**
 * How some users want to be notified, by user id.
 * ```ts
 * export async function wantsMail(env: Env, userId: number, spec: NoticeSpec) {
 *   return (await noticeWays(env, [userId], spec)).get(userId)?.byMail ?? false;
 * }
 * ```
 */
export async function noticeWays(
  env: { sudo(): unknown },
  people: readonly number[],
  { name, usual }: NoticeSpec,
): Promise<ReadonlyMap<number, NoticeWays>> {
  // As the server: the caller may not read the choices of others, and learns nothing from this.
  const settings = (env.sudo() as Env).model('sys.user.setting');
  const rows = await settings.searchRead(
    [
      ['user_id', 'in', [...people]],
      ['key', '=', noticesSetting],
    ],
    ['user_id', 'value'],
  );
  const chosen = new Map(rows.map((row) => [row.user_id, wayIn(row.value, name)]));
  return new Map(people.map((uid) => [uid, toWays(chosen.get(uid) ?? usual)]));
}

/** Null: unknown. */
export function wayIn(value: unknown, name: string): NoticeWay | null {
  const way = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return ways.has(way) ? (way as NoticeWay) : null;
}

function toWays(way: NoticeWay): NoticeWays {
  return { inClient: way === 'client' || way === 'both', byMail: way === 'mail' || way === 'both' };
}
