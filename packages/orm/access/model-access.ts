import { accessDenied, type Operation } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import { modelRefusals } from './refusals.ts';

/** Access rows of the user's groups are ORed; no row that grants: denied. */
export function mayAccessModel(env: Env, model: Model, operation: Operation): boolean {
  if (env.isSudo) return true;
  const rows = env.policy.access.get(model.name) ?? [];
  return rows.some((row) => row[operation] && (row.group === null ? env.uid > 0 : env.actor.groups.has(row.group)));
}

/** Throws ACCESS_DENIED, layer `model`. */
export function checkModelAccess(env: Env, model: Model, operation: Operation): void {
  if (mayAccessModel(env, model, operation)) return;
  throw accessDenied(model.name, operation, 'model', { message: modelRefusals[operation]({ model: model.label }) });
}
