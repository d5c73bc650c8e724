import type { Env, Model } from '../model/model.ts';
import { settleState } from './settle-state.ts';

const key = 'states before';
type Before = Map<string, Map<number, string | null>>;

/** Stores the state in which the running operation found a record; only the first time counts. */
export function rememberState(env: Env, model: Model, id: number, state: string | null): void {
  const { memo } = settleState(env);
  const before = (memo.get(key) as Before | undefined) ?? new Map();
  memo.set(key, before);
  const known = before.get(model.name) ?? new Map<number, string | null>();
  before.set(model.name, known);
  if (!known.has(id)) known.set(id, state);
}

/**
 * The state in which the running operation found a record; undefined if it has not looked. A record that it created had
 * no state: nothing of it is locked until the end.
 */
export function stateBefore(env: Env, model: Model, id: number): string | null | undefined {
  const { memo, created } = settleState(env);
  if (created.get(model.name)?.has(id)) return null;
  return (memo.get(key) as Before | undefined)?.get(model.name)?.get(id);
}
