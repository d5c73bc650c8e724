import { type Decimal, dateIn, type Env } from '@kontor/addon';
import { ratesOn } from './rate-on.ts';

/** The day of a rate is the same for everyone, wherever they are. */
const dayOf = ({ now }: Env) => dateIn('UTC', now);

/** A rate that is given to a currency is its rate from today on; a currency without a rate has none on any day. */
export async function noteRates(env: Env, ids: readonly number[], rate: Decimal | null | undefined): Promise<void> {
  if (rate === undefined) return;
  const rates = env.model('core.currency.rate');
  if (rate === null) {
    await rates.unlink(await rates.search([['currency_id', 'in', [...ids]]]));
    return;
  }
  const today = dayOf(env);
  const valid = await ratesOn(env, ids, today);
  for (const id of ids) {
    const [own] = await rates.search([
      ['currency_id', '=', id],
      ['date', '=', today],
    ]);
    if (own) await rates.write([own], { rate });
    else if ((await rates.count([['currency_id', '=', id]])) === 0 || !valid.get(id)?.eq(rate))
      await rates.create({ currency_id: id, date: today, rate });
  }
}

/** Gives the currencies of these rates, or all, the rate that is valid today. */
export async function followRates(env: Env, rateIds?: readonly number[]): Promise<void> {
  const rates = env.model('core.currency.rate');
  const rows = await rates.searchRead(rateIds ? [['id', 'in', [...rateIds]]] : [], ['currency_id']);
  const ids = [...new Set(rows.map(({ currency_id: currency }) => currency))];
  const valid = await ratesOn(env, ids, dayOf(env));
  for (const { id, rate } of await env.model('core.currency').read(ids, ['rate'])) {
    const now = valid.get(id) ?? null;
    if (now !== null && !rate?.eq(now)) await env.model('core.currency').write([id], { rate: now });
  }
}
