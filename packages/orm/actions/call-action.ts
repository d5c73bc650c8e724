import { accessDenied, didYouMean, KontorError, type OnchangeAnswer, UserError } from '@kontor/protocol';
import { checkModelAccess } from '../access/model-access.ts';
import { constantDefault } from '../defaults/constant-default.ts';
import type { ActionAnswer, RecordSet } from '../model/behaviour.ts';
import { expandAnswered } from '../model/expand-sets.ts';
import type { Action, Env, Model, States } from '../model/model.ts';
import { wireName } from '../model/names.ts';
import type { Values } from '../model/records.ts';
import { checkIds, checkRecords } from '../reading/check-records.ts';
import { load } from '../reading/load.ts';
import { castAnswers, checkAnswers } from './answers.ts';
import { runMove } from './run-move.ts';

/**
 * Runs an object action that the model registered, on records that the caller may see and change. The handler is server
 * code: it acts with the caller's rights, but readonly fields are open to it.
 */
export async function callAction(
  env: Env,
  model: Model,
  ids: readonly number[],
  called: string,
  vals: Readonly<Record<string, unknown>> = {},
): Promise<ActionAnswer> {
  const action = findAction(env, model, called);
  const unique = checkIds(model, ids);
  const inOrder = [...new Set(ids)];
  const inside = env.outside(false);
  const recordsOf = (own: readonly number[]) => recordSet(inside, model, own);
  const cast = castAnswers(inside, model, action, vals);
  if (action.kind === 'move') {
    const answer = await runMove({ env: inside, model, ids: unique, action, ...cast, recordsOf });
    return checkRedirect(`${model.name}.${action.name}`, answer);
  }
  await checkRecords(env, model, unique, action.needs);
  if (action.single !== null && unique.length !== 1) throw new UserError(action.single);
  const { answers } = cast;
  await checkAnswers(inside, action.asks, answers);
  const answer = await action.run({ env: inside, records: recordsOf(inOrder), answers });
  return checkRedirect(`${model.name}.${action.name}`, answer);
}

/** The action of a model with this name, if the caller may run it. */
function findAction(env: Env, model: Model, called: string): Action {
  const action = actionOf(model, wireName(called));
  const { name, needs, groups } = action;
  if (!env.isSudo && groups !== null && !groups.some((group) => env.actor.groups.has(group))) {
    throw accessDenied(model.name, needs, 'model', { action: name, message: `You may not run ${name}.` });
  }
  checkModelAccess(env, model, needs);
  return action;
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

function recordSet(env: Env, model: Model, ids: readonly number[]): RecordSet {
  return Object.freeze({
    ids: Object.freeze([...ids]),
    load: (...paths: readonly string[]) => env.model(model.name).load(ids, paths),
    only: async (...paths: readonly string[]) => {
      const [one, ...others] = await env.model(model.name).load(ids, paths);
      if (one === undefined || others.length > 0)
        throw new Error(`${model.name}: only() is for actions that are single.`);
      return one;
    },
  });
}

const here = 'http://kontor.invalid';

/** An action returns nothing or a page of this server; anything else is its author's mistake and is ignored. */
function checkRedirect(action: string, answer: unknown): ActionAnswer {
  if (answer === undefined || answer === null) return undefined;
  const redirect = typeof answer === 'object' && 'redirect' in answer ? answer.redirect : undefined;
  if (typeof redirect !== 'string') throw new Error(`${action} must answer nothing or { redirect }.`);
  const path = ownPath(redirect);
  if (path === null) throw new Error(`${action} redirects to ${redirect}, which is not / or a path under /web.`);
  return { redirect: path };
}

function ownPath(redirect: string): string | null {
  if (!redirect.startsWith('/') || !URL.canParse(redirect, here)) return null;
  const url = new URL(redirect, here);
  const { pathname } = url;
  const isOurs = pathname === '/' || pathname === '/web' || pathname.startsWith('/web/');
  return url.origin === here && isOurs ? `${pathname}${url.search}${url.hash}` : null;
}

/** The initial values of an action's dialog: defaults of its fields, and values that the action proposes. Given values stay. */
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
  const { said } = castAnswers(inside, model, action, given);
  await checkRecords(env, model, unique, action.needs);
  const value: Record<string, unknown> = {};
  for (const [name, field] of action.asks) {
    if (field.spec.default !== undefined) value[name] = constantDefault(env, field);
  }
  const proposes = await proposerOf(env, model, action, unique);
  const proposed =
    (await proposes?.({ env: inside, records: recordSet(inside, model, [...new Set(ids)]), answers: said })) ?? {};
  const news = Object.entries({ ...value, ...proposed.value }).filter(([name]) => given[name] === undefined);
  const domain = proposed.domain && expandAnswered(env.registry, action.asks, proposed.domain);
  return { value: Object.fromEntries(news), ...(domain ? { domain } : {}) };
}

/** For a move: the proposer of the variant that the records would make. */
async function proposerOf(env: Env, model: Model, action: Action, ids: readonly number[]) {
  if (action.kind === 'action') return action.proposes;
  const { field } = model.states as States;
  const records = await load(env.sudo(), model, ids, [field]);
  return action.moves.find((move) => records.some((record) => move.from.has(String(record[field]))))?.proposes ?? null;
}
