/** A Map that nobody can change afterwards; `Object.freeze` alone leaves `set` working. */
export function frozenMap<Key, Value>(entries: Iterable<readonly [Key, Value]>): ReadonlyMap<Key, Value> {
  const map = new Map(entries);
  for (const method of ['set', 'delete', 'clear'] as const) Object.defineProperty(map, method, { value: refuse });
  return Object.freeze(map);
}

function refuse(): never {
  throw new TypeError('A registry cannot be changed; assemble a new one.');
}
