import { type ActionCall, type Env, fields, open, UserError } from '@kontor/addon';
import { mergePartners } from './merge-partners.ts';

export const mergeAsks = {
  keep: fields.many2one('core.partner', { label: 'Keep', domain: [['active', 'in', [true, false]]] }),
};
type Call = ActionCall<'core.partner', typeof mergeAsks>;

/** Of the chosen contacts the active one that is there longest is kept unless somebody says otherwise. */
export async function proposeKept({ env, records }: Pick<Call, 'env' | 'records'>) {
  const domain = [
    ['id', 'in', records.ids],
    ['active', 'in', [true, false]],
  ] as const;
  return { value: { keep: await oldest(env, records.ids) }, domain: { keep: domain } };
}

export async function mergeChosen({ env, records, answers }: Call) {
  const { ids } = records;
  if (ids.length < 2) throw new UserError('Choose two contacts or more to merge.');
  const keep = answers.keep ?? (await oldest(env, ids));
  if (keep === null || !ids.includes(keep))
    throw new UserError('The contact to keep must be one of those that are merged.');
  await mergePartners(
    env,
    keep,
    ids.filter((id) => id !== keep),
  );
  return open('core.partner', { view: 'form', id: keep });
}

async function oldest(env: Env, ids: readonly number[]): Promise<number | null> {
  const partners = await env.model('core.partner').read(ids, ['active']);
  const [first] = partners.sort((a, b) => Number(b.active) - Number(a.active) || a.id - b.id);
  return first?.id ?? null;
}
