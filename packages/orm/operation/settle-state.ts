import type { Operation } from '@kontor/protocol';
import type { Env, Field } from '../model/model.ts';

/** Records whose author must still be allowed to have them when the operation ends. */
export interface RuleCheck {
  readonly env: Env;
  readonly model: string;
  readonly operation: Extract<Operation, 'create' | 'write'>;
  readonly ids: Set<number>;
}

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

/** A record that this transaction holds: it made it or locked it. */
export interface HeldRecord {
  /** Values of the model's stored computes as they are now. */
  readonly values: Map<Field, unknown>;
  readonly companyId: number | null;
}

/** What the running operation must still do before it ends, and what it knows. */
export interface SettleState {
  depth: number;
  /** Ids to recompute, by model and field. */
  readonly stale: IdsByName;
  /** Ids to check, by model and constraint. */
  readonly constraints: IdsByName;
  /** Ids to check, by model and what must have no circle. */
  readonly circles: IdsByName;
  /** Ids of records that moved, by model and condition of the move. */
  readonly conditions: IdsByName;
  /** Ids by model of records whose relations must agree with their company. */
  readonly companies: Map<string, Set<number>>;
  readonly pending: Map<string, Reach>;
  rules: RuleCheck[];
  /** Where the changes of this operation begin: what is computed for its new records belongs to their creation. */
  firstChange: number;
  /** Ids by model that the operation created: nobody else can see them. */
  readonly created: Map<string, Set<number>>;
  readonly held: Map<string, Map<number, HeldRecord>>;
  /** Names of models of which the operation has locked records. */
  readonly locked: Set<string>;
  /** What the operation looked up once, by key. */
  readonly memo: Map<string, unknown>;
  /** A recompute on upgrade: its results are not recorded as changes and not checked. */
  isSilent: boolean;
}

export type IdsByName = Map<string, Map<string, Set<number>>>;

const key = 'settle';

export function settleState(env: Env): SettleState {
  const known = env.work.memo.get(key) as SettleState | undefined;
  if (known) return known;
  const state: SettleState = {
    depth: 0,
    stale: new Map(),
    constraints: new Map(),
    circles: new Map(),
    conditions: new Map(),
    companies: new Map(),
    pending: new Map(),
    rules: [],
    firstChange: 0,
    created: new Map(),
    held: new Map(),
    locked: new Set(),
    memo: new Map(),
    isSilent: false,
  };
  env.work.memo.set(key, state);
  return state;
}

export function addIds(target: IdsByName, model: string, name: string, ids: Iterable<number>): void {
  const byName = target.get(model) ?? new Map<string, Set<number>>();
  const known = byName.get(name) ?? new Set();
  for (const id of ids) known.add(id);
  target.set(model, byName.set(name, known));
}

export function owes(state: SettleState): boolean {
  const { stale, pending, constraints, circles, conditions, companies, rules } = state;
  return [stale, pending, constraints, circles, conditions, companies].some(({ size }) => size > 0) || rules.length > 0;
}

export function forget(state: SettleState): void {
  const { stale, constraints, circles, conditions, companies, pending, created, held, locked, memo } = state;
  for (const each of [stale, constraints, circles, conditions, companies, pending, created, held, locked, memo])
    each.clear();
  state.rules = [];
}
