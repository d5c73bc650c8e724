import type { Actor } from '@kontor/orm';

/** Server code that acts for nobody: installs, jobs, automations. Its id is stored as empty. */
export const systemActor: Actor = {
  uid: 0,
  groups: new Set(),
  companyId: null,
  companyIds: [],
  lang: 'en_US',
  tz: 'UTC',
};

/** The same person acting in another of their companies; the own one where that is not allowed (any more). */
export function inCompany(actor: Actor, companyId: number | null): Actor {
  if (companyId === null || companyId === actor.companyId || !actor.companyIds.includes(companyId)) return actor;
  const known = elsewhere.get(actor) ?? new Map<number, Actor>();
  const there = known.get(companyId) ?? { ...actor, companyId };
  elsewhere.set(actor, known.set(companyId, there));
  return there;
}

/** One object for each company, because caches use the actor as their key. */
const elsewhere = new WeakMap<Actor, Map<number, Actor>>();
