import { sql } from '@kontor/database';
import { defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import { publish } from '../events/publish.ts';

const notificationFields = {
  user_id: fields.many2one('core.user', { label: 'For', required: true, ondelete: 'cascade' }),
  kind: fields.selection({ success: 'Success', error: 'Problem', info: 'Information' }, { required: true }),
  title: fields.char({ required: true, size: 500 }),
  body: fields.text({}),
  href: fields.char({ label: 'Leads to', size: 2000 }),
  read_at: fields.datetime({ label: 'Read', readonly: true }),
};
export interface SysNotification extends FieldsOf<typeof notificationFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.notification': SysNotification;
  }
}

/** What one person was told, until they have read it and for a while after. */
export const sysNotification = defineModel('sys.notification', {
  label: 'Notification',
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
    /** This one and all before it: what arrives meanwhile stays unread. */
    read_through: {
      needs: 'read',
      run: async ({ env, records }) => markRead(env, [], Math.max(...records.ids)),
    },
  },
});

/** Tells the person's other windows too. */
async function markRead(env: Env, ids: readonly number[], through: number): Promise<void> {
  const count = await env.db.execute(sql`
    update sys_notification set read_at = now(), write_date = now()
    where user_id = ${env.uid} and read_at is null and (id = any(${[...ids]}::int4[]) or id <= ${through}::int4)`);
  if (count > 0) await publish(env, 'notify.read', {}, { userId: env.uid });
}
