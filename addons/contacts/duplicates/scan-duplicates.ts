import type { Env, WriteValues } from '@kontor/addon';

/**
 * Updates the list of duplicates: new groups are added, groups that no longer match are removed, and contacts marked as different
 * stay out. It reads every contact that the caller may read.
 */
export async function scanDuplicates(env: Env): Promise<number> {
  const partners = await env
    .model('core.partner')
    .searchRead([['active', '=', true]], ['match_keys', 'company_id'], { order: 'id' });
  const groups = groupSame(
    partners.map(({ id, match_keys: keys, company_id: companyId }) => ({
      id,
      companyId,
      keys: (keys ?? '').split('\n').filter((key) => key !== ''),
    })),
  );
  const duplicates = env.model('core.partner.duplicate');
  const known = await duplicates.searchRead([['state', 'in', ['open', 'ignored']]], ['state', 'partner_ids']);
  const ignored = known.filter(({ state }) => state === 'ignored').map(({ partner_ids: ids }) => new Set(ids));
  const wanted = new Map(
    groups
      .filter(({ ids }) => !ignored.some((apart) => ids.every((id) => apart.has(id))))
      .map((group) => [group.ids.join(), group]),
  );
  const gone: number[] = [];
  for (const { id, state, partner_ids: ids } of known) {
    if (state !== 'open') continue;
    const isWanted = wanted.delete([...ids].sort((a, b) => a - b).join());
    if (!isWanted) gone.push(id);
  }
  for (const part of parts(gone)) await duplicates.unlink(part);
  for (const part of parts([...wanted.values()])) await duplicates.createMany(part.map(asDuplicate));
  return wanted.size;
}

function asDuplicate({ ids, companyId, alike }: SameGroup): WriteValues<'core.partner.duplicate'> {
  return {
    partner_ids: [['set', ids]],
    keep_id: ids[0] ?? null,
    company_id: companyId,
    same_email: alike.has('email'),
    same_phone: alike.has('phone'),
    same_name: alike.has('name'),
  };
}

const mostAtOnce = 1000;

function parts<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / mostAtOnce);
  return Array.from({ length: count }, (_, i) => items.slice(i * mostAtOnce, (i + 1) * mostAtOnce));
}

interface Candidate {
  readonly id: number;
  readonly companyId: number | null;
  readonly keys: readonly string[];
}
type Likeness = 'email' | 'phone' | 'name';
interface SameGroup {
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
  // Path compression, or long chains would be walked again and again.
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
