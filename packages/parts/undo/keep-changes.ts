import { type Sql, sql } from '@kontor/database';
import type { FinishedWork, KeptRows } from '@kontor/kernel';
import { type Change, type Registry, toJson } from '@kontor/orm';

/** Every unit of work that changed something is a change set. Secret values never leave their column. */
export function keepChanges({ registry, uid, requestId, changes, changeSet }: FinishedWork): KeptRows | null {
  if (changes.length === 0) return null;
  const ids = changes.map(({ id }) => id);
  const models = changes.map(({ model }) => model);
  const operations = changes.map(({ operation }) => operation);
  const values = changes.map((change) => valuesJson(registry, change));
  return {
    with: [
      sql`change_set as (${changeSet === null ? newSet(uid, requestId) : sql`select ${changeSet}::int4 as id`})`,
      sql`changes as (
        insert into sys_change (set_id, model, res_id, operation, values, create_date, write_date)
        select change_set.id, c.model, c.res_id, c.operation, c.values::jsonb, now(), now()
        from change_set, unnest(${models}::text[], ${ids}::int4[], ${operations}::text[], ${values}::text[])
          as c(model, res_id, operation, values))`,
    ],
    changeSet: sql`(select id from change_set)`,
  };
}

function newSet(uid: number, requestId: string | null): Sql {
  return sql`
    insert into sys_change_set (user_id, request_id, reverted, create_date, create_uid, write_date, write_uid)
    values (${uid || null}, ${requestId}, false, now(), ${uid || null}, now(), ${uid || null})
    returning id`;
}

function valuesJson(registry: Registry, change: Change): string {
  const { fields } = registry.model(change.model);
  const open = Object.entries(change.values).filter(([name]) => !fields.get(name)?.spec.secret);
  return toJson(Object.fromEntries(open));
}
