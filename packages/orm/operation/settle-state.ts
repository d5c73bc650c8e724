import type { Env, Field, Model } from '../model/model.ts';

/** A record that this transaction holds: it made it or locked it. */
export interface HeldRecord {
  /** Values of the model's stored computes as they are now. */
  readonly values: Map<Field, unknown>;
  readonly companyId: number | null;
}

/** What the running operation must still do before it ends, and what it knows. */
export interface SettleState {
  depth: number;
  /** What is due when the operation ends, by what it is due for. */
  readonly debts: Map<string, Map<unknown, unknown>>;
  /** Where the changes of this operation begin: what is computed for its new records belongs to their creation. */
  firstChange: number;
  /** Records by model and id that the operation created, which nobody else can see; null once their relations changed. */
  readonly created: Map<string, Map<number, ReadonlyMap<Field, unknown> | null>>;
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
    debts: new Map(),
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

/** What one concern is due for when the operation ends, as it likes to note it. Whoever settles it empties it. */
export function debtsOf<Key, Due>(env: Env, concern: string): Map<Key, Due> {
  const { debts } = settleState(env);
  let own = debts.get(concern);
  if (!own) {
    own = new Map();
    debts.set(concern, own);
  }
  return own as Map<Key, Due>;
}

/** Names of the concerns that something is due for. */
export function owing({ debts }: SettleState): readonly string[] {
  return [...debts].flatMap(([concern, { size }]) => (size > 0 ? [concern] : []));
}

/** Notes that the operation created a record with these values: nobody else can see it, and it had no state before. */
export function noteCreated(env: Env, model: string, id: number, columns: ReadonlyMap<Field, unknown>): void {
  const { created } = settleState(env);
  const known = created.get(model) ?? new Map();
  created.set(model, known.set(id, columns));
}

/** Where the memo has what was found out about records of a model that relations point at. */
export function linksTo({ name }: Model): string {
  return `links to ${name}`;
}

/** Forgets what the operation knows of records that it changed. */
export function noteChanged(env: Env, model: Model, ids: Iterable<number>): void {
  const { memo, created } = settleState(env);
  memo.delete(linksTo(model));
  const known = created.get(model.name);
  for (const id of ids) if (known?.has(id)) known.set(id, null);
}

export function forget({ debts, created, held, locked, memo }: SettleState): void {
  for (const each of [debts, created, held, locked, memo]) each.clear();
}
