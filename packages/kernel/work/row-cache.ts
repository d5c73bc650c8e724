import { type Queryable, sql } from '@kontor/database';
import { type CachedRows, cachedRows, type Registry, type RowCache } from '@kontor/orm';
import { modulesSignal } from './signals.ts';

/** A record of a cached model changed. */
export const rowsSignal = 'rows';

/**
 * A transaction that uses the cache first reads how often cached rows have changed. It waits for no notification: what was
 * committed before that is seen, whichever process did it.
 */
export function createRowCache(): RowCache & { drop(): void } {
  let generation = -1;
  let rows: CachedRows = cachedRows();
  return {
    async open(db: Queryable) {
      const [[now] = [0]] = await db.arrays(
        sql`select coalesce(sum(generation), 0)::int4 from sys_signal where name in (${modulesSignal}, ${rowsSignal})`,
      );
      if (Number(now) > generation) {
        generation = Number(now);
        // New ones: transactions that see an older state keep theirs.
        rows = cachedRows();
      }
      return Number(now) === generation ? rows : null;
    },
    drop() {
      generation = -1;
    },
  };
}

export function cachedModels({ models }: Registry): readonly (readonly [string, string])[] {
  return [...models.values()].flatMap(({ name, isCached }) => (isCached ? [[name, rowsSignal] as const] : []));
}
