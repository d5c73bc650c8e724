import type { Env } from '@kontor/addon';

/** Contacts that share an e-mail, a phone or the name with the given one, as far as the caller may see them. */
export async function findSame(env: Env, partnerId: number): Promise<number[]> {
  const partners = env.model('core.partner');
  const [partner] = await partners.read([partnerId], ['match_keys', 'company_id']);
  const keys = partner?.match_keys.trim().split('\n') ?? [];
  if (keys.length === 0) return [];
  return partners.search([
    ['id', '!=', partnerId],
    ...keys.slice(1).map(() => '|' as const),
    ...keys.map((key) => ['match_keys', 'like', `\n${key}\n`] as const),
  ]);
}
