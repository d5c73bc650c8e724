/** A Map that cannot be changed afterwards; `Object.freeze` alone leaves `set` working. */
class FrozenMap<Key, Value> extends Map<Key, Value> {
  constructor(entries: Iterable<readonly [Key, Value]>) {
    super();
    for (const [key, value] of entries) super.set(key, value);
    Object.freeze(this);
  }

  override set(): this {
    throw refusal();
  }

  override delete(): boolean {
    throw refusal();
  }

  override clear(): void {
    throw refusal();
  }
}

export function frozenMap<Key, Value>(entries: Iterable<readonly [Key, Value]>): ReadonlyMap<Key, Value> {
  return new FrozenMap(entries);
}

function refusal(): TypeError {
  return new TypeError('A registry cannot be changed; assemble a new one.');
}
