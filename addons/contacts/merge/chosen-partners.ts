import { type Env, UserError } from '@kontor/addon';

/** Which of the chosen contacts stays: the one that was named, else the active one that is there longest. */
export async function chosenPartners(
  env: Env,
  ids: readonly number[],
  named: number | null,
): Promise<{ readonly keep: number; readonly others: readonly number[] }> {
  if (ids.length < 2) throw new UserError('Choose two contacts or more to merge.');
  const keep = named ?? (await oldest(env, ids));
  if (!ids.includes(keep)) throw new UserError('The contact to keep must be one of those that are merged.');
  return { keep, others: ids.filter((id) => id !== keep) };
}

async function oldest(env: Env, ids: readonly number[]): Promise<number> {
  const partners = await env.model('core.partner').read(ids, ['active']);
  const [first] = partners.sort((a, b) => Number(b.active) - Number(a.active) || a.id - b.id);
  return first?.id ?? 0;
}
