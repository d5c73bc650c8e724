import type { Actor } from '@kontor/orm';

/** Server code that acts without a user: installs, jobs, automations. Its id is stored as empty. */
export const systemActor: Actor = {
  uid: 0,
  groups: new Set(),
  companyId: null,
  companyIds: [],
  lang: 'en_US',
  tz: 'UTC',
};

/** The same user acting in another of their companies, or in their own if that is not (or no longer) allowed. */
export function inCompany(actor: Actor, companyId: number | null): Actor {
  if (companyId === null || companyId === actor.companyId || !actor.companyIds.includes(companyId)) return actor;
  const known = elsewhere.get(actor) ?? new Map<number, Actor>();
  const there = known.get(companyId) ?? { ...actor, companyId };
  elsewhere.set(actor, known.set(companyId, there));
  return there;
}

/** One object for each company, because caches use the actor as their key. */
const elsewhere = new WeakMap<Actor, Map<number, Actor>>();
