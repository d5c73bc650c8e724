import type { Queryable } from '@kontor/database';
import type { AccessPolicy, Actor } from '@kontor/orm';
import { loadActor } from './load-actor.ts';
import { loadPolicy } from './load-policy.ts';

/** Who may do what, as last read. Dropped whole whenever anyone's rights change anywhere. */
export interface RightsCache {
  policy(): Promise<AccessPolicy>;
  actor(uid: number): Promise<Actor | null>;
  drop(): void;
}

const maxActors = 10_000;

export function createRightsCache(db: Queryable): RightsCache {
  let policy: Promise<AccessPolicy> | null = null;
  const actors = new Map<number, Promise<Actor | null>>();

  return {
    policy() {
      policy ??= forgetOnFailure(loadPolicy(db), () => {
        policy = null;
      });
      return policy;
    },
    actor(uid) {
      const known = actors.get(uid);
      if (known) return known;
      if (actors.size >= maxActors) actors.clear();
      const loading = forgetOnFailure(loadActor(db, uid), () => actors.delete(uid));
      actors.set(uid, loading);
      return loading;
    },
    drop() {
      policy = null;
      actors.clear();
    },
  };
}

function forgetOnFailure<T>(loading: Promise<T>, forget: () => void): Promise<T> {
  loading.catch(forget);
  return loading;
}
