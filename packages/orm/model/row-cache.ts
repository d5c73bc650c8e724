import type { Cell, Queryable } from '@kontor/database';
import type { Env, Model } from './model.ts';
import type { UnitOfWork } from './unit-of-work.ts';

export type Rows = readonly (readonly Cell[])[];

/** Rows of `cached` models in the memory of a process. */
export interface RowCache {
  /** The rows that are as current as this transaction; null if it sees an older state than others do. */
  open(db: Queryable): Promise<CachedRows | null>;
}

export interface CachedRows {
  get(statement: string): Rows | undefined;
  set(statement: string, rows: Rows): void;
}

/** All are forgotten when they need so much: nothing but the common ones is worth its memory. */
const maxSize = 20_000_000;
const maxSizeOfOne = 500_000;

export function cachedRows(): CachedRows {
  const known = new Map<string, Rows>();
  let size = 0;
  return {
    get: (statement) => known.get(statement),
    set(statement, rows) {
      const own = statement.length + sizeOf(rows);
      if (own > maxSizeOfOne) return;
      size += own;
      if (size > maxSize) {
        known.clear();
        size = own;
      }
      known.set(statement, rows);
    },
  };
}

/** About its bytes. */
function sizeOf(rows: Rows): number {
  let size = 0;
  for (const row of rows) for (const cell of row) size += typeof cell === 'string' ? cell.length + 16 : 16;
  return size;
}

interface CacheUse {
  readonly cache: RowCache;
  opened?: ReturnType<RowCache['open']>;
  /** The transaction wrote or locked rows of a cached model: it must see its own, and the newest. */
  isOver: boolean;
  hasChanged: boolean;
}

const key = 'row cache';

/** From here on, the work reads rows of cached models from the cache. It needs a transaction that sees what others commit. */
export function useRowCache(work: UnitOfWork, cache: RowCache): void {
  const use: CacheUse = { cache, isOver: false, hasChanged: false };
  work.memo.set(key, use);
}

/** Call it before rows of the model are written or locked. */
export function leaveRowCache({ work }: Env, model: Model): void {
  if (!model.isCached) return;
  const use = work.memo.get(key) as CacheUse | undefined;
  if (use) use.isOver = true;
}

/** Rows of cached models may have changed without a change that the unit of work records. */
export function noteCachedChange(work: UnitOfWork): void {
  const use = work.memo.get(key) as CacheUse | undefined;
  if (use) Object.assign(use, { isOver: true, hasChanged: true });
}

export function hasCachedChange(work: UnitOfWork): boolean {
  return (work.memo.get(key) as CacheUse | undefined)?.hasChanged ?? false;
}

/** Whether rows of cached models may come from the cache. */
export function usesRowCache({ work }: Env): boolean {
  return (work.memo.get(key) as CacheUse | undefined)?.isOver === false;
}

/** Asks once in a unit of work; again after a failure, which a savepoint may have ended. */
export async function currentRows({ work, db }: Env): Promise<CachedRows | null> {
  const use = work.memo.get(key) as CacheUse;
  use.opened ??= use.cache.open(db).catch((error: unknown) => {
    delete use.opened;
    throw error;
  });
  const rows = await use.opened;
  return use.isOver ? null : rows;
}
