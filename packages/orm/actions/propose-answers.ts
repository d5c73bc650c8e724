import type { OnchangeAnswer } from '@kontor/protocol';
import { constantDefault } from '../defaults/constant-default.ts';
import type { Action, Env, Model, States } from '../model/model.ts';
import { checkIds, checkRecords } from '../reading/check-records.ts';
import { load } from '../reading/load.ts';
import type { Values } from '../records.ts';
import { castAnswers } from './answers.ts';
import { findAction, recordSet } from './call-action.ts';

/** What the dialog of an action opens with: defaults of what it asks, and what the action makes of the records. What is given stays. */
export async function proposeAnswers(
  env: Env,
  model: Model,
  called: string,
  ids: readonly number[],
  given: Values,
): Promise<OnchangeAnswer> {
  const action = findAction(env, model, called);
  const unique = checkIds(model, ids);
  const inside = env.outside(false);
  castAnswers(inside, model, action, given);
  await checkRecords(env, model, unique, action.needs);
  const value: Record<string, unknown> = {};
  for (const [name, field] of action.asks) {
    if (field.spec.default !== undefined) value[name] = constantDefault(env, field);
  }
  const proposes = await proposerOf(env, model, action, unique);
  const proposed = (await proposes?.({ env: inside, records: recordSet(inside, model, [...new Set(ids)]) })) ?? {};
  const news = Object.entries({ ...value, ...proposed.value }).filter(([name]) => given[name] === undefined);
  return { value: Object.fromEntries(news), ...(proposed.domain ? { domain: proposed.domain } : {}) };
}

/** Of a move the variant that the records make says it. */
async function proposerOf(env: Env, model: Model, action: Action, ids: readonly number[]) {
  if (action.kind === 'action') return action.proposes;
  const { field } = model.states as States;
  const records = await load(env.sudo(), model, ids, [field]);
  return action.moves.find((move) => records.some((record) => move.from.has(String(record[field]))))?.proposes ?? null;
}
