import { join, type Queryable, sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import type { Part } from './define-part.ts';
import type { Kernel, Startable } from './kernel.ts';
import { type Cache, type CacheSpec, createCache } from './work/cache.ts';
import { modulesSignal } from './work/signals.ts';

/** Started services of parts, each once. */
interface RunningParts {
  start(): void;
  service<Running>(part: Startable<Running>): Running;
  stop(): Promise<void>;
}

export function runParts(parts: readonly Part[], kernel: () => Kernel): RunningParts {
  const running = new Map<Part, unknown>();

  function startOne(part: Part): unknown {
    if (!running.has(part) && part.start) running.set(part, part.start(kernel()));
    return running.get(part);
  }

  return {
    start() {
      for (const part of parts) startOne(part);
    },
    service<Running>({ name }: Startable<Running>) {
      const part = parts.find((each) => each.name === name);
      if (!part?.start) throw new Error(`This kernel has no part "${name}" to start.`);
      return startOne(part) as Running;
    },
    async stop() {
      const ending = [...running];
      running.clear();
      await Promise.all(ending.map(([part, started]) => part.stop(started)));
    },
  };
}

/** All counts of the parts in one statement. */
export async function countRows<Name extends string>(
  parts: readonly Part[],
  db: Queryable,
  names: readonly Name[],
): Promise<Readonly<Record<Name, number>>> {
  const queries = names.map((name) => {
    const query = parts.find((part) => name in part.counts)?.counts[name];
    if (!query) throw new Error(`No part counts "${name}".`);
    return sql`(${query})::int4`;
  });
  const [cells = []] = await db.arrays(sql`select ${join(queries)}`);
  return Object.fromEntries(names.map((name, index) => [name, Number(cells[index])])) as Record<Name, number>;
}

export interface PartCaches {
  get<Key, Value>(cache: CacheSpec<Key, Value>, key: Key): Promise<Value>;
  /** Drops the caches that the signal invalidates. */
  drop(signal: string): void;
}

/** One cache for each declared by a part; `envNow` returns an env on the newest modules. */
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
