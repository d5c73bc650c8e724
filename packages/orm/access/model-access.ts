import { accessDenied, type Operation } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import { modelRefusals } from './refusals.ts';
import { checkCovered, isCovered } from './scope.ts';

/** Whether the rights of the user and the scope of their key, if any, allow this. */
export function mayAccessModel(env: Env, model: Model, operation: Operation): boolean {
  return isCovered(env, model, operation) && mayOwnerAccess(env, model, operation);
}

/**
 * Regardless of the key's scope. Access rows of the user's groups are ORed; without a granting row, access is denied.
 */
export function mayOwnerAccess(env: Env, model: Model, operation: Operation): boolean {
  if (env.isSudo) return true;
  const rows = env.policy.access.get(model.name) ?? [];
  return rows.some((row) => row[operation] && (row.group === null ? env.uid > 0 : env.actor.groups.has(row.group)));
}

/** Throws ACCESS_DENIED, layer `model`. */
export function checkModelAccess(env: Env, model: Model, operation: Operation): void {
  checkCovered(env, model, operation);
  checkOwnerAccess(env, model, operation);
}

/** The same, regardless of the key's scope. */
export function checkOwnerAccess(env: Env, model: Model, operation: Operation): void {
  if (mayOwnerAccess(env, model, operation)) return;
  throw accessDenied(model.name, operation, 'model', { message: modelRefusals[operation]({ model: model.label }) });
}
