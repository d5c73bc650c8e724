import { type Cell, compile, type Queryable, type Sql } from '@kontor/database';
import { type LruCache, lruCache } from '@kontor/protocol';
import type { Env, Model, Registry } from '../model/model.ts';
import type { UnitOfWork } from '../model/unit-of-work.ts';

type Rows = readonly (readonly Cell[])[];

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

/** A row of a cached model changed without a change that the unit of work records. */
export function noteCachedChange({ work }: Env, model: Model): void {
  const use = work.memo.get(key) as CacheUse | undefined;
  if (use && model.isCached) use.hasChanged = true;
}

export function hasCachedChange(work: UnitOfWork): boolean {
  return (work.memo.get(key) as CacheUse | undefined)?.hasChanged ?? false;
}

/** The rows of a planned statement. */
export async function rowsOf(env: Env, statement: Sql): Promise<Rows> {
  const use = env.work.memo.get(key) as CacheUse | undefined;
  if (!use || use.isOver || !statement.statement || !isOfCachedModels(env.registry, statement.statement.text)) {
    return env.db.arrays(statement);
  }
  const cached = await opened(use, env.db);
  const { text, values } = compile(statement);
  const name = `${text} ${JSON.stringify(values)}`;
  const known = use.isOver ? undefined : cached?.get(name);
  if (known) return known;
  const rows = await env.db.arrays(statement);
  if (!use.isOver) cached?.set(name, rows);
  return rows;
}

/** Once for a unit of work; again after a failure, which a savepoint may have ended. */
function opened(use: CacheUse, db: Queryable): ReturnType<RowCache['open']> {
  use.opened ??= use.cache.open(db).catch((error: unknown) => {
    delete use.opened;
    throw error;
  });
  return use.opened;
}

const verdicts = new WeakMap<Registry, LruCache<string, boolean>>();
const maxVerdicts = 5_000;

function isOfCachedModels(registry: Registry, text: string): boolean {
  const known = verdicts.get(registry) ?? lruCache<string, boolean>(maxVerdicts);
  verdicts.set(registry, known);
  let verdict = known.get(text);
  if (verdict === undefined) {
    verdict = readsOnly(cachedTables(registry), text) && !asksMore.test(text);
    known.set(text, verdict);
  }
  return verdict;
}

/** What differs from call to call without being a parameter. */
const asksMore =
  /\b(now|current_\w+|localtime\w*|\w+_timestamp|random|nextval|lastval|currval|pg_\w+|to_reg\w+|for)\b/i;

/** Names after `from` and `join`, and all quoted ones: a table that is not known to be cached must not be overlooked. */
function readsOnly({ cached, others }: Tables, text: string): boolean {
  const sources = [...text.matchAll(/\b(?:from|join)\s+(?:lateral\s+)?("?)([\w.]+|\()\1/gi)];
  const quoted = [...text.matchAll(/"([^"]+)"/g)];
  return (
    sources.some(([, , name = '']) => cached.has(name)) &&
    sources.every(([, , name = '']) => name === '(' || name === 'unnest' || cached.has(name)) &&
    quoted.every(([, name = '']) => !others.has(name))
  );
}

interface Tables {
  readonly cached: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

const tablesOf = new WeakMap<Registry, Tables>();

/** A table of links changes with the records of both sides. */
function cachedTables(registry: Registry): Tables {
  const known = tablesOf.get(registry);
  if (known) return known;
  const [cached, others] = [new Set<string>(), new Set<string>()];
  const add = (table: string, isCached: boolean) => (isCached ? cached : others).add(table);
  for (const model of registry.models.values()) {
    add(model.table, model.isCached);
    for (const { through, spec } of model.fields.values()) {
      if (through) add(through.table, model.isCached && registry.model(spec.relation as string).isCached);
    }
  }
  const tables = { cached, others };
  tablesOf.set(registry, tables);
  return tables;
}
