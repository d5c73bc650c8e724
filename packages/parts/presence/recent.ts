import { type Queryable, sql } from '@kontor/database';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const recentFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade' }),
  model: fields.char({ required: true, size: 128, names: 'model' }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  seen_at: fields.datetime({ required: true, index: true }),
};
export interface SysRecent extends FieldsOf<typeof recentFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.recent': SysRecent;
  }
}

/** The records that each user opened, and when. It has no access rows: users see their own on the home screen. */
export const sysRecent = defineModel('sys.recent', {
  label: 'Recently opened',
  noCompany: 'It belongs to one person.',
  order: '-seen_at',
  displayName: '{model} {res_id}',
  quiet: true,
  fields: recentFields,
  uniques: { one_each: { fields: ['user_id', 'model', 'res_id'] } },
  indexes: ['user_id, -seen_at'],
});

export interface OpenedRecord {
  readonly user_id: number;
  readonly model: string;
  readonly res_id: number;
}

export async function rememberOpened(db: Queryable, opened: readonly OpenedRecord[]): Promise<void> {
  if (opened.length === 0) return;
  const [users, models, ids] = [
    opened.map((one) => one.user_id),
    opened.map((one) => one.model),
    opened.map((one) => one.res_id),
  ];
  await db.execute(sql`
    insert into sys_recent (user_id, model, res_id, seen_at, create_date, write_date)
    select distinct one.user_id, one.model, one.res_id, now(), now(), now()
    from unnest(${users}::int4[], ${models}::text[], ${ids}::int4[]) as one(user_id, model, res_id)
    on conflict (user_id, model, res_id) do update set seen_at = now()`);
}
