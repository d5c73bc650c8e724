/**
 * A map of at most so many entries; the one that was used least recently goes first. Uses count once it is half full: until then
 * none has to go.
 */
export interface LruCache<Key, Value> {
  /** Counts as use. */
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
  values(): Iterable<Value>;
  readonly size: number;
}

/** `onEvict` is called for evicted entries, not for deleted ones. */
export function lruCache<Key, Value>(most: number, onEvict: (value: Value) => void = () => {}): LruCache<Key, Value> {
  // A map keeps insertion order, so its first entry is the oldest.
  const entries = new Map<Key, Value>();
  /** The last entry in order, if it still exists: a key that is requested repeatedly need not be moved. */
  let newest: Key | undefined;
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined || key === newest || entries.size < most / 2) return value;
      entries.delete(key);
      entries.set(key, value);
      newest = key;
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      newest = key;
      if (entries.size <= most) return;
      const [oldest, evicted] = entries.entries().next().value as [Key, Value];
      entries.delete(oldest);
      onEvict(evicted);
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    values: () => entries.values(),
    get size() {
      return entries.size;
    },
  };
}
