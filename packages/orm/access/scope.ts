import { accessDenied, type Operation } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';

export function isCovered(env: Env, model: Model, operation: Operation): boolean {
  return env.scope === null || env.scope.covers(model.name, operation);
}

/** Throws ACCESS_DENIED, layer `model`. */
export function checkCovered(env: Env, model: Model, operation: Operation): void {
  if (isCovered(env, model, operation)) return;
  throw accessDenied(model.name, operation, 'model', {
    message: `This API key does not cover ${operation} on ${model.name}.`,
  });
}
