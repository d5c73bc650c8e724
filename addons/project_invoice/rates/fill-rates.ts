import { type Decimal, type Env, text, UserError } from '@kontor/addon';
import { rateOf, rateSources } from './rate-of.ts';

/** So many entries at most are given their rate at once. */
const most = 20_000;

/** Gives the entries that had no rate the one that was entered for them; those that have one keep it. */
export async function fillRates(env: Env, rateIds: readonly number[]): Promise<void> {
  const rates = await env
    .model('project.rate')
    .load(rateIds, ['kind', 'user_id.id', 'project_id.id', 'company_id.id', 'date_start', 'date_end']);
  for (const { kind, user_id: user, project_id: project, company_id: company, ...days } of rates) {
    const ids = await env
      .model('project.time')
      .search(
        [
          [kind === 'price' ? 'rate' : 'cost_rate', '=', null],
          ['billing_state', 'not in', 'held'],
          ['company_id', '=', company.id],
          ...(user ? [['user_id', '=', user.id] as const] : []),
          ...(project ? [['project_id', '=', project.id] as const] : []),
          ...(days.date_start ? [['date', '>=', days.date_start] as const] : []),
          ...(days.date_end ? [['date', '<=', days.date_end] as const] : []),
        ],
        { limit: most },
      );
    await writeRates(env, ids, [kind]);
  }
}

/** Calculates the rates of entries again, except those that are invoiced. */
export async function updateRates(env: Env, ids: readonly number[]): Promise<void> {
  if (ids.length > most) throw new UserError(text('Choose at most {count} entries.', { count: most }));
  const free = await env.model('project.time').search([
    ['id', 'in', [...ids]],
    ['billing_state', 'not in', 'held'],
  ]);
  await writeRates(env, free, ['price', 'cost']);
}

async function writeRates(env: Env, ids: readonly number[], kinds: readonly ('price' | 'cost')[]): Promise<void> {
  const entries = await env.model('project.time').load(ids, [...rateSources]);
  for (const kind of kinds) {
    const byRate = new Map<string, { readonly rate: Decimal | null; readonly ids: number[] }>();
    for (const entry of entries) {
      const rate = rateOf(entry, kind);
      const key = String(rate);
      const same = byRate.get(key) ?? { rate, ids: [] };
      same.ids.push(entry.id);
      byRate.set(key, same);
    }
    for (const { rate, ids: same } of byRate.values()) {
      await env.model('project.time').write(same, kind === 'price' ? { rate } : { cost_rate: rate });
    }
  }
}
