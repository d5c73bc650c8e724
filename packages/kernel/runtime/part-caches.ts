import type { Env } from '@kontor/orm';
import type { CacheSpec, Part } from '../define-part.ts';
import { type CachedByKey, createCachedByKey } from './cached.ts';
import type { SignalName } from './signals.ts';

export interface PartCaches {
  get<Key, Value>(cache: CacheSpec<Key, Value>, key: Key): Promise<Value>;
  /** Forgets what the signal says is old. */
  drop(signal: SignalName): void;
}

/** One cache for each that a part names; `envNow` gives an env on the newest modules. */
export function createPartCaches(parts: readonly Part[], envNow: () => Env): PartCaches {
  const caches = new Map<unknown, CachedByKey<never, unknown>>();
  for (const spec of parts.flatMap((part) => part.caches)) {
    caches.set(
      spec,
      createCachedByKey((key: never) => spec.load(envNow(), key)),
    );
  }
  return {
    get<Key, Value>(spec: CacheSpec<Key, Value>, key: Key) {
      const cache = caches.get(spec) as CachedByKey<Key, Value> | undefined;
      if (!cache) throw new Error('No part of this kernel has that cache.');
      return cache.get(key);
    },
    drop(signal) {
      for (const spec of parts.flatMap((part) => part.caches)) {
        if (signal === 'modules' || spec.droppedBy.includes(signal)) caches.get(spec)?.drop();
      }
    },
  };
}
