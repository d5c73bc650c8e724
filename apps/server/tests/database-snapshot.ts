import { ident, type Queryable, sql } from '@kontor/database';

/** What runs and people leave behind; no module says anything about it. */
const passing = /^(sys_(session|signal|outbox|change|change_set|log|login_attempt|cron\w*)|kontor_parked_row)$/;
const timeColumns = new Set(['create_date', 'write_date', 'applied_at']);

/** Columns and rows of every table but for ids and times, so that two states of a database can be compared. */
export async function databaseSnapshot(db: Queryable): Promise<Readonly<Record<string, unknown>>> {
  const columns = await db.query<{ table_name: string; column_name: string; type: string }>(sql`
    select c.table_name::text, c.column_name::text, c.data_type || ':' || c.is_nullable as type
    from information_schema.columns c where c.table_schema = 'public' order by 1, 2`);
  const shot: Record<string, unknown> = {};
  for (const table of new Set(columns.map((column) => column.table_name))) {
    if (passing.test(table)) continue;
    const rows = await db.query<{ row: string }>(sql`select to_jsonb(t)::text as row from ${ident(table)} as t`);
    shot[table] = {
      columns: columns.filter((each) => each.table_name === table).map((each) => `${each.column_name} ${each.type}`),
      rows: rows.map(({ row }) => withoutIds(JSON.parse(row))).sort(),
    };
  }
  return shot;
}

function withoutIds(row: Readonly<Record<string, unknown>>): string {
  const kept = Object.entries(row).filter(([name]) => name !== 'id' && !timeColumns.has(name) && !/_ids?$/.test(name));
  return JSON.stringify(kept);
}
