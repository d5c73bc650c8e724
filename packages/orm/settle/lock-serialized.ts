import { ident, join, sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import { settleState } from './settle-state.ts';

type Due = readonly (readonly [model: string, idsOf: ReadonlyMap<string, ReadonlySet<number>>])[];

/**
 * Constraints that read other rows name the records at which writers wait for one another. They are locked before the check,
 * by table and id, also those that a record pointed at before: who comes later sees what was committed meanwhile.
 */
export async function lockSerialized(env: Env, due: Due): Promise<void> {
  const byTable = new Map<string, Set<number>>();
  for (const [name, idsOf] of due) {
    const model = env.registry.model(name);
    const fields = serializedBy(model, idsOf);
    if (fields.length === 0) continue;
    const ids = new Set([...idsOf.values()].flatMap((own) => [...own]));
    for (const [field, target] of [
      ...(await targetsNow(env, model, fields, ids)),
      ...targetsBefore(env, model, fields, ids),
    ]) {
      const { table } = env.registry.model(field.spec.relation as string);
      byTable.set(table, (byTable.get(table) ?? new Set()).add(target));
    }
  }
  for (const [table, ids] of [...byTable].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await env.db.execute(
      sql`select id from ${ident(table)} where id = any(${[...ids]}::int4[]) order by id for no key update`,
    );
  }
}

function serializedBy(model: Model, idsOf: ReadonlyMap<string, unknown>): Field[] {
  const names = model.constraints.filter(({ name }) => idsOf.has(name)).flatMap(({ serialize = [] }) => serialize);
  return [...new Set(names)].map((name) => model.fields.get(name) as Field);
}

async function targetsNow(
  env: Env,
  model: Model,
  fields: readonly Field[],
  ids: ReadonlySet<number>,
): Promise<(readonly [Field, number])[]> {
  const columns = fields.map((field) => ident(field.column as string));
  const rows = await env.db.arrays(
    sql`select ${join(columns)} from ${ident(model.table)} where id = any(${[...ids]}::int4[])`,
  );
  return rows.flatMap((row) =>
    fields.flatMap((field, at) => (row[at] === null ? [] : [[field, row[at] as number] as const])),
  );
}

function* targetsBefore(
  env: Env,
  model: Model,
  fields: readonly Field[],
  ids: ReadonlySet<number>,
): Iterable<readonly [Field, number]> {
  for (const change of env.work.changes.slice(settleState(env).firstChange)) {
    if (change.model !== model.name || !ids.has(change.id)) continue;
    for (const field of fields) {
      const old = change.values[field.name]?.old;
      if (typeof old === 'number') yield [field, old];
    }
  }
}
