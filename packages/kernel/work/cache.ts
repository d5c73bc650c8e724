import type { Env } from '@kontor/orm';
import { lruCache } from '@kontor/protocol';

/** Values that are read once per key and cached until they are dropped. A failed read is not cached. */
export interface Cache<Key, Value> {
  get(key: Key): Promise<Value>;
  drop(): void;
}

export interface CacheOptions<Value> {
  /** Beyond it, the least recently used entry is dropped. */
  readonly maxKeys?: number;
  /** A value is read again when it is older. */
  readonly maxAgeMs?: number;
  /** Values for which it returns false are not cached. */
  isKept?(value: Value): boolean;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly readAt: number;
}

export function createCache<Key, Value>(
  load: (key: Key) => Promise<Value>,
  { maxKeys = 10_000, maxAgeMs = Number.POSITIVE_INFINITY, isKept = () => true }: CacheOptions<Value> = {},
): Cache<Key, Value> {
  const entries = lruCache<Key, Entry<Value>>(maxKeys);

  function read(key: Key): Promise<Value> {
    const entry = { value: load(key), readAt: performance.now() };
    entries.set(key, entry);
    const forget = (): void => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    entry.value.then((value) => isKept(value) || forget(), forget);
    return entry.value;
  }

  return {
    get(key) {
      const known = entries.get(key);
      return known && performance.now() - known.readAt < maxAgeMs ? known.value : read(key);
    },
    drop: () => entries.clear(),
  };
}

/** Values that a part reads from the database once per key, until one of the signals invalidates them. */
export interface CacheSpec<Key, Value> extends CacheOptions<Value> {
  /** A change of modules drops every cache. */
  readonly droppedBy: readonly string[];
  /** Reads as the system, outside any transaction. */
  readonly load: (env: Env, key: Key) => Promise<Value>;
}
