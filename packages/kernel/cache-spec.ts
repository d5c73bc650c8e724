import type { Env } from '@kontor/orm';
import type { CacheOptions } from './work/cache.ts';

/** What a part reads from the database once for each key, until one of the signals says that it is old. */
export interface CacheSpec<Key, Value> extends CacheOptions<Value> {
  /** A change of modules drops every cache. */
  readonly droppedBy: readonly string[];
  /** Reads as the system, outside any transaction. */
  readonly load: (env: Env, key: Key) => Promise<Value>;
}
