import { type Queryable, sql } from '@kontor/database';
import type { Notification } from '@kontor/protocol';
import { keepNotifications } from '../events/keep-notifications.ts';
import { publishEvents } from '../runtime/publish-events.ts';

/** Says to every administrator that a job does not run any more until somebody looks at it. */
export async function tellPaused(
  db: Queryable,
  job: { readonly id: number; readonly name: string },
  error: string,
): Promise<void> {
  const message: Notification = {
    kind: 'error',
    title: 'A scheduled job is paused',
    body: `${job.name} failed several times: ${error.slice(0, 300)}`,
    href: `/web?model=sys.cron&view_type=form&id=${job.id}`,
  };
  const administrators = await findAdministrators(db);
  await keepNotifications(db, administrators, message);
  await publishEvents(
    db,
    administrators.map((userId) => ({ channel: 'notify', payload: { ...message }, userId })),
  );
}

async function findAdministrators(db: Queryable): Promise<readonly number[]> {
  const rows = await db.query<{ id: number }>(sql`
    with recursive admin as (
      select id from core_group where key = 'base.group_system'
      union
      select rel.group_id from core_group_implied_rel rel join admin on admin.id = rel.implied_id
    )
    select distinct u.id from core_user u join core_group_user_rel rel on rel.user_id = u.id
    where u.active and rel.group_id in (select id from admin) order by u.id`);
  return rows.map((row) => row.id);
}
