import type { Env } from '../../env.ts';
import type { Model, Registry, Trigger } from '../../model/model.ts';
import { constraintTriggers } from './constraint-triggers.ts';
import { followBack } from './follow-back.ts';
import { hopsOf } from './relation-path.ts';
import { addIds, settleState } from './settle-state.ts';

/** Everything that one walk back along a path makes due. */
interface Reach {
  readonly model: string;
  readonly path: readonly string[];
  readonly fields: Set<string>;
  readonly constraints: Set<string>;
}

export interface StaleOptions {
  /** The records are new: whoever points at one of them has been or will be marked for pointing at it. */
  readonly isNew?: boolean;
  readonly except?: (trigger: Trigger) => boolean;
}

/**
 * Notes which stored computes and constraints a change makes due. Called before a change of relations (the old owners)
 * and after it (the new ones): one statement a path, whatever the number of records.
 */
export async function markStale(
  env: Env,
  model: Model,
  ids: readonly number[],
  fieldNames: Iterable<string>,
  options: StaleOptions = {},
): Promise<void> {
  if (ids.length === 0) return;
  const reaches = reachesOf(env.registry, model.name, fieldNames, options.except);
  if (reaches.size === 0) return;
  const state = settleState(env);
  for (const reach of reaches.values()) {
    if (options.isNew && pointsAt(env, reach)) continue;
    const owners = await followBack(env, reach.model, reach.path, ids);
    if (owners.length === 0) continue;
    for (const field of reach.fields) addIds(state.stale, reach.model, field, owners);
    if (state.isSilent) continue;
    for (const constraint of reach.constraints) addIds(state.constraints, reach.model, constraint, owners);
  }
}

function reachesOf(
  registry: Registry,
  model: string,
  fieldNames: Iterable<string>,
  except?: (trigger: Trigger) => boolean,
): Map<string, Reach> {
  const reaches = new Map<string, Reach>();
  for (const name of fieldNames) {
    for (const trigger of registry.triggers(model, name)) {
      if (!except?.(trigger)) reachOf(reaches, trigger).fields.add(trigger.field);
    }
    for (const trigger of constraintTriggers(registry, model, name)) {
      reachOf(reaches, trigger).constraints.add(trigger.constraint);
    }
  }
  return reaches;
}

function reachOf(reaches: Map<string, Reach>, { model, path }: { model: string; path: readonly string[] }): Reach {
  const key = `${model}/${path.join('.')}`;
  let reach = reaches.get(key);
  if (!reach) {
    reach = { model, path, fields: new Set(), constraints: new Set() };
    reaches.set(key, reach);
  }
  return reach;
}

/** Whether the path reaches the changed record by a many2one of another record. */
function pointsAt(env: Env, { model, path }: Reach): boolean {
  return (
    path.length > 0 && hopsOf(env.registry, env.registry.model(model), path).at(-1)?.field.spec.type === 'many2one'
  );
}
