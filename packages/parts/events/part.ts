import { sql } from '@kontor/database';
import { definePart } from '@kontor/kernel';
import { createEventFeed } from './event-feed.ts';
import { sysNotification } from './notification.ts';
import { keepEvents, sysOutbox } from './outbox.ts';

/** Counting stops here: an exact number above it is of no interest. */
const most = 100_000;

/** Events in every process for those who may receive them; and notifications, kept until they are read. */
export const eventsPart = definePart({
  name: 'events',
  models: [sysOutbox, sysNotification],
  keep: keepEvents,
  expires: {
    // Events are read within a second. A process that was disconnected for longer sends its clients a gap.
    clean_events: [{ model: 'sys.outbox', column: 'create_date', age: '10 minutes' }],
    clean_logs: [{ model: 'sys.notification', column: 'create_date', age: '60 days' }],
  },
  counts: {
    'events.waiting': sql`select count(*) from (select 1 from sys_outbox limit ${most}::int4) o`,
    /** In seconds, of the oldest; ids are in the order of the writes. */
    'events.age': sql`
      select coalesce((select extract(epoch from now() - create_date) from sys_outbox order by id limit 1), 0)::int8`,
  },
  start: createEventFeed,
  stop: (feed) => feed.close(),
});
