import { type Queryable, sql } from '@kontor/database';
import { type Notification, type Translate, text } from '@kontor/protocol';
import { keepNotifications } from '../events/keep-notifications.ts';
import type { Kernel } from '../kernel.ts';
import { recordPath } from '../mail/record-link.ts';
import { publishEvents } from '../runtime/publish-events.ts';

export interface PausedJob {
  readonly id: number;
  readonly name: string;
}

/** Says to every administrator, in their language, that a job does not run any more until somebody looks at it. */
export async function tellPaused(
  { database, wordsIn }: Pick<Kernel, 'database' | 'wordsIn'>,
  job: PausedJob,
  error: string,
): Promise<void> {
  const people = await findAdministrators(database);
  for (const lang of new Set(people.map((person) => person.lang))) {
    const ids = people.filter((person) => person.lang === lang).map(({ id }) => id);
    const message = messageOf(job, error, wordsIn(lang));
    await keepNotifications(database, ids, message);
    await publishEvents(
      database,
      ids.map((userId) => ({ channel: 'notify', payload: { ...message }, userId })),
    );
  }
}

function messageOf({ id, name }: PausedJob, error: string, say: Translate): Notification {
  return {
    kind: 'error',
    title: say('A scheduled job is paused'),
    body: say(text('{name} failed several times: {error}', { name, error: error.slice(0, 300) })),
    href: recordPath('sys.cron', id),
  };
}

async function findAdministrators(db: Queryable): Promise<readonly { id: number; lang: string }[]> {
  return db.query<{ id: number; lang: string }>(sql`
    with recursive admin as (
      select id from core_group where key = 'base.group_system'
      union
      select rel.group_id from core_group_implied_rel rel join admin on admin.id = rel.implied_id
    )
    select distinct u.id, u.lang from core_user u join core_group_user_rel rel on rel.user_id = u.id
    where u.active and rel.group_id in (select id from admin) order by u.id`);
}
