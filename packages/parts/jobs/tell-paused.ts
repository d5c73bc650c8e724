import type { Kernel } from '@kontor/kernel';
import { type Notification, type Translate, text } from '@kontor/protocol';
import { keepNotifications } from '../events/notification.ts';
import { publishEvents } from '../events/outbox.ts';
import { findAdministrators } from '../identity/administrators.ts';
import { recordPath } from '../settings/addresses.ts';

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
