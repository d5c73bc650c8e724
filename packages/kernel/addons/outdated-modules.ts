import { type Queryable, sql } from '@kontor/database';
import type { Registry } from '@kontor/orm';
import { groupBy } from './data/group-by.ts';

/** A module whose code knows fields that the database has no room for yet. */
export interface OutdatedModule {
  readonly module: string;
  /** As `model.field`. */
  readonly fields: readonly string[];
}

/** Finds what an upgrade was forgotten for: reading such fields would fail on somebody's screen. */
export async function outdatedModules(db: Queryable, registry: Registry): Promise<readonly OutdatedModule[]> {
  const stored = [...registry.models.values()].flatMap((model) =>
    [...model.fields.values()]
      .filter((field) => field.isStored && field.column)
      .map((field) => ({ table: model.table, column: field.column as string, field })),
  );
  const rows = await db.query<{ at: number }>(sql`
    select at::int4 from unnest(${stored.map(({ table }) => table)}::text[], ${stored.map(({ column }) => column)}::text[])
      with ordinality as wanted (tab, col, at)
    where not exists (
      select from pg_attribute
      where attrelid = to_regclass(quote_ident(tab)) and attname = col and not attisdropped
    )
    order by at`);
  const missing = rows.map(({ at }) => (stored[at - 1] as (typeof stored)[number]).field);
  return [...groupBy(missing, (field) => field.module)].map(([module, fields]) => ({
    module,
    fields: fields.map((field) => `${field.model}.${field.name}`),
  }));
}
