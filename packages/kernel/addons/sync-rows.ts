import { ident, join, sql } from '@kontor/database';
import type { Env, Field, Model } from '@kontor/orm';
import type { Values } from '@kontor/protocol';

export interface RowReport {
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
}

/**
 * Syncs the rows of one of the kernel's own models: creates missing rows, writes rows that differ, and with `prune` removes rows
 * that are not given. Rows are identified by the text of the key fields.
 */
export async function syncRows(
  env: Env,
  modelName: string,
  key: readonly string[],
  rows: readonly Values[],
  options: { readonly prune: boolean },
): Promise<RowReport> {
  const model = env.registry.model(modelName);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const fields = names.map((name) => model.fields.get(name) as Field);
  const live = await readLive(env, model, fields);
  const liveByKey = new Map(live.map((row) => [keyOf(row, key), row]));
  const created = rows.filter((row) => !liveByKey.has(keyOf(row, key)));
  const updated = rows.flatMap((row) => {
    const old = liveByKey.get(keyOf(row, key));
    return old && !isSame(row, old) ? [{ id: old.id, values: row }] : [];
  });
  const wanted = new Set(rows.map((row) => keyOf(row, key)));
  const removed = options.prune ? live.filter((row) => !wanted.has(keyOf(row, key))).map((row) => row.id) : [];
  if (removed.length > 0) await env.model(modelName).unlink(removed);
  if (updated.length > 0) await env.model(modelName).writeEach(updated);
  if (created.length > 0) await env.model(modelName).createMany(created);
  return { created: created.length, updated: updated.length, removed: removed.length };
}

type LiveRow = Values & { readonly id: number };

async function readLive(env: Env, model: Model, fields: readonly Field[]): Promise<readonly LiveRow[]> {
  const columns = join(fields.map((field) => ident(field.column as string)));
  const cells = await env.db.arrays(sql`select id, ${columns} from ${ident(model.table)} order by id`);
  return cells.map(([id, ...rest]) => ({
    ...Object.fromEntries(fields.map((field, index) => [field.name, field.kind.fromCell(rest[index] ?? null)])),
    id: id as number,
  }));
}

function keyOf(row: Values, key: readonly string[]): string {
  return JSON.stringify(key.map((name) => row[name]));
}

function isSame(row: Values, old: Values): boolean {
  return Object.keys(row).every((name) => canonical(row[name]) === canonical(old[name]));
}

/** jsonb preserves neither the order of keys nor the difference between missing and null. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, item) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
