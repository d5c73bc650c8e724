import type { Operation } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import { addIds, settleState } from './settle-state.ts';

type Marked = Extract<Operation, 'create' | 'write'>;

/**
 * Notes records that were created: their constraints and the author's rules are checked when the operation ends, and they owe
 * every stored compute of their own. `relations` are those that lead somewhere.
 */
export function markNew(env: Env, model: Model, ids: readonly number[], relations: ReadonlySet<string>): void {
  if (ids.length === 0) return;
  const state = settleState(env);
  markConstraints(env, model, ids, relations, 'create');
  markCircles(env, model, ids, relations, 'create');
  const created = state.created.get(model.name) ?? new Set();
  for (const id of ids) created.add(id);
  state.created.set(model.name, created);
  for (const field of env.registry.storedComputes(model.name)) addIds(state.stale, model.name, field.name, ids);
}

/** `changed` are names of fields; of a new record every constraint is due. */
export function markConstraints(
  env: Env,
  model: Model,
  ids: readonly number[],
  changed: ReadonlySet<string>,
  operation: Marked,
): void {
  if (ids.length === 0) return;
  const state = settleState(env);
  for (const { name, on } of model.constraints) {
    if (operation === 'create' || on.some((each) => changed.has(each)))
      addIds(state.constraints, model.name, name, ids);
  }
}

export function markCircles(
  env: Env,
  model: Model,
  ids: readonly number[],
  changed: ReadonlySet<string>,
  operation: Marked,
): void {
  if (ids.length === 0) return;
  const state = settleState(env);
  // Nothing led to a new record: a circle through it takes two of its own relations, or another record that is written.
  const least = operation === 'create' ? 2 : 1;
  for (const { name, on } of model.acyclic) {
    if (on.filter((each) => changed.has(each)).length >= least) addIds(state.circles, model.name, name, ids);
  }
}

/** The author must still be allowed to have these records when the operation ends. */
export function markRules(env: Env, model: Model, ids: readonly number[], operation: Marked): void {
  if (ids.length === 0 || env.isSudo) return;
  const { rules } = settleState(env);
  const known = rules.find(
    (check) =>
      check.model === model.name &&
      check.operation === operation &&
      check.env.actor === env.actor &&
      check.env.policy === env.policy,
  );
  if (known) for (const id of ids) known.ids.add(id);
  else rules.push({ env, model: model.name, operation, ids: new Set(ids) });
}
