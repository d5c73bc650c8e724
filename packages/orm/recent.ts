/** What was worked out lately, by name; what was not asked for the longest goes first. */
export interface Recent<T> {
  get(name: string): T | undefined;
  set(name: string, value: T): void;
}

export function createRecent<T>(most: number): Recent<T> {
  const kept = new Map<string, T>();
  return {
    get(name) {
      const found = kept.get(name);
      if (found === undefined) return undefined;
      kept.delete(name);
      kept.set(name, found);
      return found;
    },
    set(name, value) {
      if (kept.size >= most) kept.delete(kept.keys().next().value as string);
      kept.set(name, value);
    },
  };
}
