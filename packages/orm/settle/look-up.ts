import { ident, sql } from '@kontor/database';
import { computeRanks } from '../graph/compute-ranks.ts';
import { endOf, type Hop, hopsOf, joinBackward } from '../graph/relation-path.ts';
import type { Env } from '../model/model.ts';
import { addIds, settleState } from '../operation/settle-state.ts';
import { dueComputes, dueConstraints, dueReaches, type Reach } from './due.ts';

/** Finds the records that a change affects and notes what must run on them: one statement for any number of records. */
export async function lookUp(env: Env, reach: Reach): Promise<void> {
  const owners = await ownersOf(env, reach);
  if (owners.length === 0) return;
  for (const field of reach.fields) addIds(dueComputes(env), reach.model, field, owners);
  if (settleState(env).isSilent) return;
  for (const constraint of reach.constraints) addIds(dueConstraints(env), reach.model, constraint, owners);
}

/**
 * Looks up what may have to run now: everything whose first compute has at most this rank. The rest waits, so that later
 * changes are looked up together with it.
 */
export async function lookUpPending(env: Env, rank: number): Promise<void> {
  const pending = dueReaches(env);
  const ranks = computeRanks(env.registry);
  for (const [key, reach] of pending) {
    const first = Math.min(...[...reach.fields].map((field) => ranks.get(`${reach.model}.${field}`) ?? 0));
    if (first > rank) continue;
    pending.delete(key);
    await lookUp(env, reach);
  }
}

async function ownersOf(env: Env, { model: name, path, ids }: Reach): Promise<readonly number[]> {
  if (path.length === 0) return [...ids];
  const model = env.registry.model(name);
  const hops = hopsOf(env.registry, model, path);
  const { owners, unknown } = knownOwners(env, hops, ids);
  if (unknown.length === 0) return [...owners];
  const last = ident(`a${hops.length}`);
  const rows = await env.db.arrays(sql`
    select distinct a0.id from ${ident(endOf(model, hops).table)} ${last}${joinBackward(hops)}
    where ${last}.id = any(${unknown}::int4[])`);
  for (const [id] of rows) owners.add(id as number);
  return [...owners];
}

/** The owner of written lines is often known without a query. */
function knownOwners(
  env: Env,
  hops: readonly Hop[],
  ids: Iterable<number>,
): { readonly owners: Set<number>; readonly unknown: number[] } {
  const [hop, ...others] = hops as [Hop, ...Hop[]];
  const inverse =
    others.length === 0 && !hop.field.through ? hop.to.fields.get(hop.field.spec.inverse ?? '') : undefined;
  const { created, written } = settleState(env);
  const known = inverse?.compute === null && !inverse.related ? written.get(hop.to.name) : undefined;
  const owners = new Set<number>();
  const unknown: number[] = [];
  for (const id of ids) {
    const values = known?.get(id);
    const owner = inverse && values?.get(inverse);
    if (typeof owner === 'number') owners.add(owner);
    // Values that were not given to a new record are empty.
    else if (!values || (owner === undefined && !created.get(hop.to.name)?.has(id))) unknown.push(id);
  }
  return { owners, unknown };
}
