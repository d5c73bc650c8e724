import type { Env } from '@kontor/orm';

interface KnownGroup {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly implied: readonly number[];
}

/** The groups that the reader may see, without those of apps that are not installed. */
export interface KnownGroups {
  byKey(key: string): KnownGroup | undefined;
  byId(id: number): KnownGroup | undefined;
  readonly all: readonly KnownGroup[];
  /** A group and all that it implies. */
  closure(group: KnownGroup): ReadonlySet<KnownGroup>;
  /** The names of groups; those that the reader may not see have none. */
  names(keys: Iterable<string>): readonly string[];
}

export async function knownGroups(env: Env): Promise<KnownGroups> {
  const rows = await env
    .model('core.group')
    .searchRead([['is_away', '!=', true]], ['key', 'display_name', 'implied_ids'], { order: 'name, id' });
  const all = rows.map(
    ({ id, key, display_name, implied_ids }): KnownGroup => ({
      ...{ id, key: String(key), name: String(display_name), implied: implied_ids as readonly number[] },
    }),
  );
  const byKey = new Map(all.map((group) => [group.key, group]));
  const byId = new Map(all.map((group) => [group.id, group]));
  const closures = new Map<KnownGroup, ReadonlySet<KnownGroup>>();
  const closureOf = (group: KnownGroup) => {
    const found = new Set([group]);
    for (const { implied } of found)
      for (const id of implied) {
        const next = byId.get(id);
        if (next) found.add(next);
      }
    return found;
  };
  return {
    all,
    byKey: (key) => byKey.get(key),
    byId: (id) => byId.get(id),
    closure(group) {
      const known = closures.get(group) ?? closureOf(group);
      closures.set(group, known);
      return known;
    },
    names: (keys) => [...keys].flatMap((key) => byKey.get(key)?.name ?? []).sort(),
  };
}
