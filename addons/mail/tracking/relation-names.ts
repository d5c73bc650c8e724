import { anyModel, type Env } from '@kontor/addon';
import type { KeptChange, RecordChange } from './tracked-change.ts';

/** Ids that a value of a relation holds. */
export function idsIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
}

/** Puts the names of related records beside their ids: one query a related model, for all changes. */
export async function withNames(env: Env, records: readonly RecordChange[]): Promise<readonly RecordChange[]> {
  const wanted = new Map<string, Set<number>>();
  for (const { model, fields } of records) {
    for (const change of fields) {
      const relation = relationOf(env, model, change.field);
      if (relation === null) continue;
      const ids = wanted.get(relation) ?? new Set();
      wanted.set(relation, ids);
      for (const id of [...idsIn(change.old), ...idsIn(change.new)]) ids.add(id);
    }
  }
  if (wanted.size === 0) return records;
  const names = new Map<string, ReadonlyMap<number, string>>();
  for (const [relation, ids] of wanted) names.set(relation, await namesIn(env, relation, [...ids]));
  return records.map((record) => ({
    ...record,
    fields: record.fields.map((change) => named(env, record.model, change, names)),
  }));
}

/** The model that a field points at; null for a plain value. */
export function relationOf(env: Env, model: string, name: string): string | null {
  return env.registry.model(model).fields.get(name)?.spec.relation ?? null;
}

async function namesIn(env: Env, model: string, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await anyModel(env.sudo(), model).searchRead([['id', 'in', [...ids]]], ['display_name']);
  return new Map(rows.map((row) => [row.id, String(row.display_name ?? '')]));
}

function named(
  env: Env,
  model: string,
  change: KeptChange,
  names: ReadonlyMap<string, ReadonlyMap<number, string>>,
): KeptChange {
  const known = names.get(relationOf(env, model, change.field) ?? '');
  if (!known) return change;
  const ids = [...idsIn(change.old), ...idsIn(change.new)];
  return { ...change, names: Object.fromEntries(ids.map((id) => [id, known.get(id) ?? ''])) };
}
