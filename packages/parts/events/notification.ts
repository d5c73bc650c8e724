import { type Queryable, sql } from '@kontor/database';
import { addEvent, noteSaid, publish } from '@kontor/kernel';
import type { Env as UntypedEnv } from '@kontor/orm';
import { type CallsOf, defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import type { Notification } from '@kontor/protocol';

const notificationFields = {
  user_id: fields.many2one('core.user', { label: 'For', required: true, ondelete: 'cascade' }),
  kind: fields.selection({ success: 'Success', error: 'Problem', info: 'Information' }, { required: true }),
  title: fields.char({ required: true, size: 500 }),
  body: fields.text({}),
  href: fields.char({ label: 'Leads to', size: 2000 }),
  read_at: fields.datetime({ label: 'Read', readonly: true }),
};
export interface SysNotification extends FieldsOf<typeof notificationFields> {}
export interface SysNotificationCalls extends CallsOf<typeof sysNotification> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.notification': SysNotification;
  }
  interface Calls {
    'sys.notification': SysNotificationCalls;
  }
}

/** A notification of one user, kept until it is read and for a while after. */
export const sysNotification = defineModel('sys.notification', {
  label: 'Notification',
  noCompany: 'A notice belongs to one person.',
  order: '-id',
  displayName: '{title}',
  quiet: true,
  fields: notificationFields,
  indexes: ['user_id, -id'],
  actions: {
    read: {
      needs: 'read',
      run: async ({ env, records }) => markRead(env, [...records.ids], 0),
    },
    /** This one and all earlier ones: what arrives meanwhile stays unread. */
    read_through: {
      needs: 'read',
      run: async ({ env, records }) => markRead(env, [], Math.max(...records.ids)),
    },
  },
});

/** Updates the user's other windows too. */
async function markRead(env: Env, ids: readonly number[], through: number): Promise<void> {
  const count = await env.db.execute(sql`
    update sys_notification set read_at = now(), write_date = now()
    where user_id = ${env.uid} and read_at is null and (id = any(${[...ids]}::int4[]) or id <= ${through}::int4)`);
  if (count > 0) await publish(env, 'notify.read', {}, { userId: env.uid });
}

/**
 * Shows a user a message in the client after the commit, and keeps it until it is read.
 * ```ts
 * export async function tellDone(env: Env, userId: number) {
 *   await notify(env, userId, { kind: 'success', title: 'Import', body: '120 contacts are in.' });
 * }
 * ```
 */
export async function notify(
  env: Pick<UntypedEnv, 'db' | 'work'>,
  userId: number,
  message: Notification,
): Promise<void> {
  await keepNotifications(env.db, [userId], message);
  noteSaid(env, {
    kind: 'notice',
    to: [],
    people: [userId],
    subject: message.title,
    body: message.body ?? '',
    files: [],
  });
  addEvent(env, { channel: 'notify', payload: { ...message }, userId });
}

/** The same without a message on the screen: the count of unread notifications changes. */
export async function notifyQuietly(
  env: Pick<UntypedEnv, 'db' | 'work'>,
  userId: number,
  message: Notification,
): Promise<void> {
  await keepNotifications(env.db, [userId], message);
  noteSaid(env, {
    kind: 'notice',
    to: [],
    people: [userId],
    subject: message.title,
    body: message.body ?? '',
    files: [],
  });
  addEvent(env, { channel: 'notify.read', payload: {}, userId });
}

/** Stores notifications, so that they are still there after a reload and for people who were away. */
export async function keepNotifications(
  db: Queryable,
  people: readonly number[],
  { kind, title, body, href }: Notification,
): Promise<void> {
  await db.execute(sql`
    insert into sys_notification (user_id, kind, title, body, href, create_date, write_date)
    select person, ${kind}, ${title.slice(0, 500)}, ${body}, ${href ?? null}, now(), now()
    from unnest(${[...people]}::int4[]) as person`);
}
