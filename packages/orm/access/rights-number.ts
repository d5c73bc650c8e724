import type { Env, Registry } from '../model/model.ts';
import type { AccessPolicy, Actor } from './policy.ts';

interface Numbered {
  readonly policy: AccessPolicy;
  readonly registry: Registry;
  readonly number: number;
}

const numbers = new WeakMap<Actor, Numbered>();
let last = 0;

/**
 * A number for one person under one policy and one registry, under which what was worked out for them can be kept. New rights
 * are a new policy or a new actor, so that nothing worked out under the old ones is found again.
 */
export function rightsNumber({ actor, policy, registry }: Env): number {
  const known = numbers.get(actor);
  if (known && known.policy === policy && known.registry === registry) return known.number;
  const number = ++last;
  numbers.set(actor, { policy, registry, number });
  return number;
}
