import { ident, sql } from '@kontor/database';
import type { ComputeSpec } from '../model/behaviour.ts';
import type { Env, Field, Model, Registry } from '../model/model.ts';
import { addIds } from '../operation/settle-state.ts';
import { dueComputes } from './due.ts';
import { inOperation } from './in-operation.ts';

const batchSize = 2000;

/** Whether a value changes when a day begins. */
export function isDaily(compute: ComputeSpec | null): boolean {
  return compute !== null && 'changes' in compute && compute.changes === 'daily';
}

/** Models with stored computes that depend on today, and the names of these. */
export function dailyComputes(
  registry: Registry,
): readonly { readonly model: Model; readonly names: readonly string[] }[] {
  return [...registry.models.values()].flatMap((model) => {
    const fields = registry.storedComputes(model.name).filter((field: Field) => isDaily(field.compute));
    return fields.length > 0 ? [{ model, names: fields.map(({ name }) => name) }] : [];
  });
}

/** Calculates them for some records of these companies; returns the id to continue after, or null at the end. */
export async function recomputeDaily(
  env: Env,
  { name }: Model,
  companies: readonly (number | null)[],
  after: number,
): Promise<number | null> {
  const model = env.registry.model(name);
  const own = dailyComputes(env.registry).find((each) => each.model.name === name);
  if (!own || (!model.hasCompany && !companies.includes(null))) return null;
  const ids = companies.filter((id) => id !== null);
  const isOfCompany = model.hasCompany
    ? sql`(company_id = any(${ids}::int4[]) or (${companies.includes(null)} and company_id is null))`
    : sql`true`;
  const rows = await env.db.arrays(sql`
    select id from ${ident(model.table)} where id > ${after} and ${isOfCompany} order by id limit ${batchSize}`);
  const found = rows.map(([id]) => id as number);
  if (found.length === 0) return null;
  await inOperation(env, async () => {
    for (const field of own.names) addIds(dueComputes(env), model.name, field, found);
  });
  return found.length < batchSize ? null : (found.at(-1) as number);
}
