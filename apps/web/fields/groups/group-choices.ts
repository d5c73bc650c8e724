/** A group of people as the rights page reads it. */
export interface Group {
  readonly id: number;
  readonly name: string;
  /** `sale.group_manager`: the part before the dot is its module. */
  readonly key: string;
  readonly comment: string | null;
  readonly implied_ids: readonly number[];
}

/** The groups of one app: levels that stand on each other are one choice, the others are ticked one by one. */
export interface AppGroups {
  readonly module: string;
  readonly label: string;
  /** From the least to the most. */
  readonly levels: readonly Group[];
  readonly others: readonly Group[];
}

/** By app, the base first, then by name. */
export function groupsByApp(
  groups: readonly Group[],
  labels: ReadonlyMap<string, string>,
  baseLabel: string,
): readonly AppGroups[] {
  const modules = [...new Set(groups.map(moduleOf))];
  return modules
    .map((module) => {
      const own = groups.filter((group) => moduleOf(group) === module);
      const levels = longestChain(own);
      const others = own.filter((group) => !levels.includes(group));
      const label = module === 'base' ? baseLabel : (labels.get(module) ?? module);
      return { module, label, levels, others };
    })
    .sort((a, b) => Number(b.module === 'base') - Number(a.module === 'base') || a.label.localeCompare(b.label));
}

function moduleOf({ key }: Group): string {
  return key.split('.')[0] ?? '';
}

/** `Sales: Manager` under the heading Sales is `Manager`. */
export function shortName({ name }: Group): string {
  const [, short] = /^[^:]+: *(.+)$/.exec(name) ?? [];
  return short ? short.charAt(0).toLocaleUpperCase() + short.slice(1) : name;
}

/** Every group that comes with those given, by whatever way. */
export function withImplied(chosen: ReadonlySet<number>, groups: readonly Group[]): ReadonlySet<number> {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const all = new Set(chosen);
  for (const id of all) for (const implied of byId.get(id)?.implied_ids ?? []) all.add(implied);
  return all;
}

function longestChain(groups: readonly Group[]): readonly Group[] {
  const chains = groups.map((top) => chainBelow(top, groups, new Set()));
  const longest = chains.reduce((best, chain) => (chain.length > best.length ? chain : best), [] as readonly Group[]);
  return longest.length > 1 ? longest : [];
}

function chainBelow(top: Group, groups: readonly Group[], seen: ReadonlySet<number>): readonly Group[] {
  if (seen.has(top.id)) return [];
  const below = groups.filter(({ id }) => top.implied_ids.includes(id));
  const chains = below.map((group) => chainBelow(group, groups, new Set([...seen, top.id])));
  const longest = chains.reduce((best, chain) => (chain.length > best.length ? chain : best), [] as readonly Group[]);
  return [...longest, top];
}
