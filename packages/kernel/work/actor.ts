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

/**
 * The same user acting in another of their companies, or in their own if that is not (or no longer) allowed, and seeing the
 * records of `shown` with it, as far as these are (still) the user's.
 */
export function inCompany(actor: Actor, companyId: number | null, shown: readonly number[] = []): Actor {
  const isAllowed = companyId !== null && actor.companyIds.includes(companyId);
  const active = isAllowed ? companyId : actor.companyId;
  const others = actor.companyIds.filter((id) => id !== active && shown.includes(id));
  if (active === actor.companyId && others.length === 0) return actor;
  const key = [active, ...others].join();
  const known = elsewhere.get(actor) ?? new Map<string, Actor>();
  const there = known.get(key) ?? {
    ...actor,
    companyId: active,
    ...(active !== null && others.length > 0 ? { shownCompanyIds: [active, ...others] } : {}),
  };
  elsewhere.set(actor, known.set(key, there));
  return there;
}

/** One object for each choice of companies, because caches use the actor as their key. */
const elsewhere = new WeakMap<Actor, Map<string, Actor>>();
