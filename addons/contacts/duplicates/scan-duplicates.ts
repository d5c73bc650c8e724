import type { Env, WriteValues } from '@kontor/addon';
import { groupSame, type SameGroup } from './group-same.ts';

/**
 * Brings the list of duplicates up to date: new groups are added, groups that are no longer alike go, and what somebody
 * said are different people stays out. Looks at every contact that the caller may read.
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
