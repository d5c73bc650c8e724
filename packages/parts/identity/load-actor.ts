import { type Queryable, sql } from '@kontor/database';
import type { CacheSpec } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';

interface ActorLine {
  readonly company_id: number;
  readonly lang: string;
  readonly tz: string;
  readonly company_ids: readonly number[];
  readonly group_keys: string;
}

/** An active user with every implied group, or null. Archived companies do not count. */
export async function loadActor(db: Queryable, uid: number): Promise<Actor | null> {
  const [line] = await db.query<ActorLine>(sql`
    with recursive member as (
      select group_id from core_group_user_rel where user_id = ${uid}
      union
      select rel.implied_id from core_group_implied_rel rel join member on member.group_id = rel.group_id
    )
    select u.company_id, u.lang, u.tz,
      array(select c.id from core_user_company_rel rel join core_company c on c.id = rel.company_id
        where rel.user_id = u.id and c.active order by c.id) as company_ids,
      (select coalesce(json_agg(g.key), '[]') from core_group g
        where g.id in (select group_id from member)) as group_keys
    from core_user u where u.id = ${uid} and u.active`);
  if (!line) return null;
  return {
    uid,
    groups: new Set(JSON.parse(line.group_keys) as string[]),
    companyId: line.company_id,
    companyIds: line.company_ids,
    lang: line.lang,
    tz: line.tz,
  };
}

export const actorCache: CacheSpec<number, Actor | null> = {
  droppedBy: ['rights'],
  load: ({ db }, uid) => loadActor(db, uid),
};
