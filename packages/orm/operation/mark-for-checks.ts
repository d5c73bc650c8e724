import type { Operation } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import { addIds, type SettleState, settleState } from './settle-state.ts';

/**
 * Notes records that were created or written: their constraints and, unless under sudo, the author's rules are checked
 * when the operation ends. A new record also owes every stored compute of its own. `fieldNames` are the fields that changed,
 * of a new record those relations that lead somewhere.
 */
export function markForChecks(
  env: Env,
  model: Model,
  ids: readonly number[],
  fieldNames: Iterable<string>,
  operation: Extract<Operation, 'create' | 'write'>,
): void {
  if (ids.length === 0) return;
  const state = settleState(env);
  const changed = new Set(fieldNames);
  for (const constraint of model.constraints) {
    if (operation === 'create' || constraint.on.some((name) => changed.has(name))) {
      addIds(state.constraints, model.name, constraint.name, ids);
    }
  }
  for (const { name, on } of model.acyclic) {
    // Nothing led to a new record: a circle through it takes two of its own relations, or another record that is written.
    const least = operation === 'create' ? 2 : 1;
    if (on.filter((each) => changed.has(each)).length >= least) addIds(state.circles, model.name, name, ids);
  }
  if (operation === 'create') {
    const created = state.created.get(model.name) ?? new Set();
    for (const id of ids) created.add(id);
    state.created.set(model.name, created);
    for (const field of env.registry.storedComputes(model.name)) addIds(state.stale, model.name, field.name, ids);
  }
  if (!env.isSudo) addRuleCheck(state, env, model, ids, operation);
}

function addRuleCheck(
  state: SettleState,
  env: Env,
  model: Model,
  ids: readonly number[],
  operation: 'create' | 'write',
): void {
  const known = state.rules.find(
    (check) =>
      check.model === model.name &&
      check.operation === operation &&
      check.env.actor === env.actor &&
      check.env.policy === env.policy,
  );
  if (known) for (const id of ids) known.ids.add(id);
  else state.rules.push({ env, model: model.name, operation, ids: new Set(ids) });
}
