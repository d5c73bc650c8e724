import type { Env, Field, Model } from '../model/model.ts';

/** A record that this transaction holds: it created or locked it. */
export interface HeldRecord {
  /** Current values of the model's stored computes. */
  readonly values: Map<Field, unknown>;
  readonly companyId: number | null;
}

/** The pending work of the running operation, and what it knows. */
export interface SettleState {
  depth: number;
  /** The pending work at the end of the operation, by concern. */
  readonly debts: Map<string, Map<unknown, unknown>>;
  /** Where the changes of this operation begin: values computed for its new records belong to their creation. */
  firstChange: number;
  /** Ids by model that the operation created: nobody else can see them. */
  readonly created: Map<string, Set<number>>;
  /** What is known of records that the operation wrote, by model and id: their relations and written values; all values of new ones. */
  readonly written: Map<string, Map<number, ReadonlyMap<Field, unknown>>>;
  readonly held: Map<string, Map<number, HeldRecord>>;
  /** Names of models of which the operation has locked records. */
  readonly locked: Set<string>;
  /** It deleted records, or a part of it failed: values that it wrote may not be stored any more. */
  hasLost: boolean;
  /** Cached lookups of the operation, by key. */
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
    debts: new Map(),
    firstChange: 0,
    created: new Map(),
    written: new Map(),
    held: new Map(),
    locked: new Set(),
    hasLost: false,
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

/** The pending work of one concern, in its own format. Whoever settles it empties it. */
export function debtsOf<Key, Due>(env: Env, concern: string): Map<Key, Due> {
  const { debts } = settleState(env);
  let own = debts.get(concern);
  if (!own) {
    own = new Map();
    debts.set(concern, own);
  }
  return own as Map<Key, Due>;
}

/** Names of the concerns with pending work. */
export function owing({ debts }: SettleState): readonly string[] {
  return [...debts].flatMap(([concern, { size }]) => (size > 0 ? [concern] : []));
}

/**
 * Records that the operation created a record with these values: nobody else can see it, and it had no earlier state.
 */
export function noteCreated(env: Env, { name }: Model, id: number, columns: ReadonlyMap<Field, unknown>): void {
  const { created, written } = settleState(env);
  const ids = created.get(name) ?? new Set<number>();
  const values = written.get(name) ?? new Map<number, ReadonlyMap<Field, unknown>>();
  created.set(name, ids.add(id));
  written.set(name, values.set(id, columns));
}

/** The cache key for records of a model that relations refer to. */
export function linksTo({ name }: Model): string {
  return `links to ${name}`;
}

/** Stores what is known of a record that the operation changed. */
export function noteWritten(env: Env, model: Model, id: number, values: ReadonlyMap<Field, unknown>): void {
  const { memo, written } = settleState(env);
  memo.delete(linksTo(model));
  memo.delete(readableKey(model));
  const known = written.get(model.name) ?? new Map<number, ReadonlyMap<Field, unknown>>();
  const before = known.get(id);
  written.set(model.name, known.set(id, before ? new Map([...before, ...values]) : values));
}

export function forget(state: SettleState): void {
  const { debts, created, written, held, locked, memo } = state;
  for (const each of [debts, created, written, held, locked, memo]) each.clear();
  state.hasLost = false;
}

const readableKey = (model: Model) => `${linksTo(model)}, readable`;

/** Notes records that the caller may read, for those that check links to them later in the operation. */
export function noteReadable(env: Env, model: Model, ids: ReadonlySet<number>): void {
  const { depth, memo } = settleState(env);
  if (depth === 0 || env.isSudo || ids.size === 0) return;
  const key = readableKey(model);
  const byCaller = (memo.get(key) as Map<unknown, Set<number>> | undefined) ?? new Map<unknown, Set<number>>();
  memo.set(key, byCaller);
  const known = byCaller.get(env.actor) ?? new Set<number>();
  byCaller.set(env.actor, known);
  for (const id of ids) known.add(id);
}

/** Whether the operation found out that the caller may read a record, and has not changed any of its model since. */
export function isKnownReadable(env: Env, model: Model, id: number): boolean {
  const byCaller = settleState(env).memo.get(readableKey(model)) as Map<unknown, Set<number>> | undefined;
  return byCaller?.get(env.actor)?.has(id) === true;
}
