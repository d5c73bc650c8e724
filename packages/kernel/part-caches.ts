import type { Env } from '@kontor/orm';
import type { CacheSpec } from './cache-spec.ts';
import { type Cache, createCache } from './work/cache.ts';
import { modulesSignal } from './work/signals.ts';

export interface PartCaches {
  get<Key, Value>(cache: CacheSpec<Key, Value>, key: Key): Promise<Value>;
  /** Forgets what the signal says is old. */
  drop(signal: string): void;
}

/** One cache for each that a part names; `envNow` gives an env on the newest modules. */
export function createPartCaches(specs: readonly CacheSpec<never, unknown>[], envNow: () => Env): PartCaches {
  const caches = new Map<unknown, Cache<never, unknown>>();
  for (const spec of specs)
    caches.set(
      spec,
      createCache((key: never) => spec.load(envNow(), key), spec),
    );
  return {
    get<Key, Value>(spec: CacheSpec<Key, Value>, key: Key) {
      const cache = caches.get(spec) as Cache<Key, Value> | undefined;
      if (!cache) throw new Error('No part of this kernel has that cache.');
      return cache.get(key);
    },
    drop(signal) {
      for (const spec of specs) {
        if (signal === modulesSignal || spec.droppedBy.includes(signal)) caches.get(spec)?.drop();
      }
    },
  };
}
