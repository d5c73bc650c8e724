import type { Env } from '../model/model.ts';
import { debtsOf, type IdsByName } from '../operation/settle-state.ts';

/** Records from which a path leads to changed records, not looked up yet, and what must run on them. */
export interface Reach {
  readonly model: string;
  readonly path: readonly string[];
  /** Stored computes and constraints of `model`. */
  readonly fields: Set<string>;
  readonly constraints: Set<string>;
  /** The changed records. */
  readonly ids: Set<number>;
}

/** Ids to recompute, by model and field. */
export function dueComputes(env: Env): IdsByName {
  return debtsOf(env, 'computes');
}

/** Ids to check, by model and constraint. */
export function dueConstraints(env: Env): IdsByName {
  return debtsOf(env, 'constraints');
}

/** Reached through paths that are followed when needed. */
export function dueReaches(env: Env): Map<string, Reach> {
  return debtsOf(env, 'reaches');
}
