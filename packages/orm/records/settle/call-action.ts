import { accessDenied, didYouMean, invalidArgs, KontorError } from '@kontor/protocol';
import { checkModelAccess } from '../../access/model-access.ts';
import type { Env } from '../../env.ts';
import type { ActionAnswer, RecordSet } from '../../model/definition.ts';
import type { Action, Model, MoveAction } from '../../model/model.ts';
import { wireName } from '../../model/names.ts';
import { checkIds } from '../check-ids.ts';
import { checkRecords } from '../check-records.ts';
import { load } from '../load.ts';
import { checkRedirect } from './check-redirect.ts';

type Params = Readonly<Record<string, string>>;

/**
 * Runs an object action that the model registered, on records that the caller may see and change. The handler is server
 * code: it acts with the caller's rights, but readonly fields are open to it.
 */
export async function callAction(
  env: Env,
  model: Model,
  ids: readonly number[],
  called: string,
  params: Params = {},
): Promise<ActionAnswer> {
  const name = wireName(called);
  const action = actionOf(model, name);
  const operation = action.needs;
  if (!mayRun(env, action)) {
    throw accessDenied(model.name, operation, 'model', { action: name, message: `You may not run ${name}.` });
  }
  checkModelAccess(env, model, operation);
  checkParams(model, params);
  const unique = checkIds(model, ids);
  await checkRecords(env, model, unique, operation);
  const inside = env.outside(false);
  const records = recordSet(inside, model, unique);
  if (action.kind === 'move') {
    await makeMove(inside, model, unique, action);
    return;
  }
  const answer = await action.run({ env: inside, records, params: Object.freeze({ ...params }) });
  return checkRedirect(`${model.name}.${name}`, answer);
}

function actionOf(model: Model, name: string): Action {
  const action = model.actions.get(name);
  if (action) return action;
  const shown = name.slice(0, 80);
  const hint = didYouMean(shown, model.actions.keys());
  throw new KontorError('ACTION_NOT_FOUND', `${model.name} has no action "${shown}".${hint}`, {
    model: model.name,
    action: shown,
  });
}

function mayRun(env: Env, { groups }: Action): boolean {
  return env.isSudo || groups === null || groups.some((group) => env.actor.groups.has(group));
}

function checkParams(model: Model, params: Params): void {
  const isMap = typeof params === 'object' && params !== null && !Array.isArray(params);
  if (isMap && Object.values(params).every((value) => typeof value === 'string')) return;
  throw invalidArgs('The values of an action are a map of texts.', { model: model.name });
}

async function makeMove(env: Env, model: Model, ids: readonly number[], { moves }: MoveAction): Promise<void> {
  const field = model.states?.field ?? '';
  const records = await load(env, model, ids, [field]);
  for (const { from, to } of moves) {
    const own = records.filter((record) => from.has(String(record[field]))).map(({ id }) => id);
    if (own.length > 0) await env.model(model.name).write(own, { [field]: to });
  }
}

function recordSet(env: Env, model: Model, ids: readonly number[]): RecordSet {
  return Object.freeze({
    ids: Object.freeze([...ids]),
    load: (...paths: readonly string[]) => env.model(model.name).load(ids, paths),
  });
}
