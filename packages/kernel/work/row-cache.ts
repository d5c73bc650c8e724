import { type Queryable, sql } from '@kontor/database';
import type { Registry, RowCache } from '@kontor/orm';
import { lruCache } from '@kontor/protocol';
import { modulesSignal } from './signals.ts';

/** A record of a cached model changed. */
export const rowsSignal = 'rows';

const maxStatements = 5_000;
type Rows = NonNullable<Awaited<ReturnType<RowCache['open']>>>;

/**
 * A transaction that uses the cache first reads how often cached rows have changed. It waits for no notification: what was
 * committed before that is seen, whichever process did it.
 */
export function createRowCache(): RowCache & { drop(): void } {
  let generation = -1;
  let rows: Rows = lruCache(maxStatements);
  return {
    async open(db: Queryable) {
      const [[now] = [0]] = await db.arrays(
        sql`select coalesce(sum(generation), 0)::int4 from sys_signal where name in (${modulesSignal}, ${rowsSignal})`,
      );
      if (Number(now) > generation) {
        generation = Number(now);
        // A new map: transactions that see an older state keep theirs.
        rows = lruCache(maxStatements);
      }
      return Number(now) === generation ? rows : null;
    },
    drop() {
      generation = -1;
      rows = lruCache(maxStatements);
    },
  };
}

export function cachedModels({ models }: Registry): readonly (readonly [string, string])[] {
  return [...models.values()].flatMap(({ name, isCached }) => (isCached ? [[name, rowsSignal] as const] : []));
}
