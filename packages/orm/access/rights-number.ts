import type { Env, Registry } from '../model/model.ts';
import type { AccessPolicy, Actor } from '../model/policy.ts';

interface Numbered {
  readonly policy: AccessPolicy;
  readonly registry: Registry;
  readonly number: number;
}

const numbers = new WeakMap<Actor, Numbered>();
let last = 0;

/**
 * A cache key for one user under one policy and one registry. New rights create a new policy or actor, and so a new
 * number: nothing that was cached under the old rights is found again.
 */
export function rightsNumber({ actor, policy, registry }: Pick<Env, 'actor' | 'policy' | 'registry'>): number {
  const known = numbers.get(actor);
  if (known && known.policy === policy && known.registry === registry) return known.number;
  const number = ++last;
  numbers.set(actor, { policy, registry, number });
  return number;
}
