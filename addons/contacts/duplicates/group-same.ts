export interface Candidate {
  readonly id: number;
  readonly companyId: number | null;
  readonly keys: readonly string[];
}
export type Likeness = 'email' | 'phone' | 'name';
export interface SameGroup {
  /** Ascending. */
  readonly ids: readonly number[];
  readonly companyId: number | null;
  readonly alike: ReadonlySet<Likeness>;
}

/**
 * Contacts that are linked by an equal key, directly or through others. Only contacts of one company, or contacts that all
 * companies share, are compared with each other: merging across would show or hide one.
 */
export function groupSame(candidates: readonly Candidate[]): readonly SameGroup[] {
  const top = new Map<number, number>();
  const firstWith = new Map<string, number>();
  const links: { readonly id: number; readonly kind: Likeness }[] = [];
  for (const { id, companyId, keys } of candidates) {
    for (const key of keys) {
      const place = `${companyId ?? ''}|${key}`;
      const first = firstWith.get(place);
      if (first === undefined) firstWith.set(place, id);
      else {
        top.set(topOf(top, id), topOf(top, first));
        links.push({ id, kind: key.slice(0, key.indexOf(':')) as Likeness });
      }
    }
  }
  const alike = new Map<number, Set<Likeness>>();
  for (const { id, kind } of links) alike.set(topOf(top, id), (alike.get(topOf(top, id)) ?? new Set()).add(kind));
  return membersOf(candidates, (id) => topOf(top, id), alike);
}

function topOf(top: Map<number, number>, id: number): number {
  let at = id;
  for (let above = top.get(at); above !== undefined && above !== at; above = top.get(at)) at = above;
  // The next look goes straight to it, or long chains would be walked again and again.
  if (at !== id) top.set(id, at);
  return at;
}

function membersOf(
  candidates: readonly Candidate[],
  topOfId: (id: number) => number,
  alike: ReadonlyMap<number, ReadonlySet<Likeness>>,
): SameGroup[] {
  const members = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const group = topOfId(candidate.id);
    if (!alike.has(group)) continue;
    const known = members.get(group);
    if (known) known.push(candidate);
    else members.set(group, [candidate]);
  }
  return [...members].map(([group, own]) => ({
    ids: own.map(({ id }) => id).sort((a, b) => a - b),
    companyId: own[0]?.companyId ?? null,
    alike: alike.get(group) ?? new Set(),
  }));
}
