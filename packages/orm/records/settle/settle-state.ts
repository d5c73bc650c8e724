import type { Operation } from '@kontor/protocol';
import type { Env } from '../../env.ts';

/** Records whose author must still be allowed to have them when the operation ends. */
export interface RuleCheck {
  readonly env: Env;
  readonly model: string;
  readonly operation: Extract<Operation, 'create' | 'write'>;
  readonly ids: Set<number>;
}

/** What the running operation still owes before it may end. */
export interface SettleState {
  depth: number;
  /** Ids to recompute, by model and field. */
  readonly stale: IdsByName;
  /** Ids to check, by model and constraint. */
  readonly constraints: IdsByName;
  rules: RuleCheck[];
  /** A recompute on upgrade: its results are no news to anyone and are not checked. */
  isSilent: boolean;
}

export type IdsByName = Map<string, Map<string, Set<number>>>;

const key = 'settle';

export function settleState(env: Env): SettleState {
  const known = env.work.memo.get(key) as SettleState | undefined;
  if (known) return known;
  const state: SettleState = { depth: 0, stale: new Map(), constraints: new Map(), rules: [], isSilent: false };
  env.work.memo.set(key, state);
  return state;
}

export function addIds(target: IdsByName, model: string, name: string, ids: Iterable<number>): void {
  let byName = target.get(model);
  if (!byName) {
    byName = new Map();
    target.set(model, byName);
  }
  let known = byName.get(name);
  if (!known) {
    known = new Set();
    byName.set(name, known);
  }
  for (const id of ids) known.add(id);
}

export function forget(state: SettleState): void {
  state.stale.clear();
  state.constraints.clear();
  state.rules = [];
}
