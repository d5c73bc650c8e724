import type { Env, Model } from '../model/model.ts';
import { planShortCreate } from './plan-create.ts';
import { planShortWrite } from './plan-write.ts';
import type { OneChange, ShortPlan } from './short-change.ts';

/**
 * Plans the change of one record by one statement. Null where more must be looked at than the record and what it points at: hooks,
 * computes, constraints, moves, lists. Whatever it finds in the way of a change, it changes nothing and gives no reason: the
 * ordinary way knows it.
 */
export function planShort(env: Env, model: Model, change: OneChange): ShortPlan | null {
  return change.operation === 'create'
    ? planShortCreate(env, model, Object.keys(change.values))
    : planShortWrite(env, model, Object.keys(change.values), Object.keys(change.base ?? {}));
}
