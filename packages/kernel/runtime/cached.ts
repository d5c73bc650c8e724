/** Something read from the database once and kept until it is dropped. A failed read is not kept. */
export interface Cached<T> {
  get(): Promise<T>;
  drop(): void;
}

export function createCached<T>(load: () => Promise<T>): Cached<T> {
  let kept: Promise<T> | null = null;
  return {
    get() {
      if (kept) return kept;
      const loading = load();
      kept = loading;
      loading.catch(() => {
        if (kept === loading) kept = null;
      });
      return loading;
    },
    drop() {
      kept = null;
    },
  };
}

export interface CachedByKey<K, T> {
  get(key: K): Promise<T>;
  drop(): void;
}

/** The same for each of many keys; when there are too many, all go. */
export function createCachedByKey<K, T>(load: (key: K) => Promise<T>, most = 10_000): CachedByKey<K, T> {
  const kept = new Map<K, Cached<T>>();
  return {
    get(key) {
      const known = kept.get(key);
      if (known) return known.get();
      if (kept.size >= most) kept.clear();
      const fresh = createCached(() => load(key));
      kept.set(key, fresh);
      return fresh.get();
    },
    drop: () => kept.clear(),
  };
}
