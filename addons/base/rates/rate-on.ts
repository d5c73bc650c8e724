import type { Decimal, Env } from '@kontor/addon';

/** The paths of a currency whose rate of a day is needed. */
export const ratePaths = ['rate', 'rate_ids.date', 'rate_ids.rate'] as const;

export interface DatedCurrency {
  readonly id: number;
  readonly rate: Decimal | null;
  readonly rate_ids: readonly { readonly date: string | null; readonly rate: Decimal | null }[];
}
export interface CurrencyRate {
  readonly id: number;
  /** What one euro is worth in it; null: nobody said. */
  readonly rate: Decimal | null;
}

/** The currency with its rate of a day: the last one until then, or the first one if the day is before it. */
export function rateOn<Currency extends DatedCurrency>(currency: Currency, day: string): Currency {
  const dated = currency.rate_ids.filter(({ date, rate }) => date !== null && rate !== null);
  const until = dated.filter(({ date }) => (date as string) <= day);
  const found = (until.length > 0 ? until : dated).reduce<(typeof dated)[number] | null>(
    (best, each) => (best === null || (each.date as string) > (best.date as string) === until.length > 0 ? each : best),
    null,
  );
  return found ? { ...currency, rate: found.rate } : currency;
}

/** The same for code with an env, without loading all rates of the currencies. */
export async function ratesOn(
  env: Env,
  ids: readonly number[],
  day: string,
): Promise<ReadonlyMap<number, Decimal | null>> {
  const known = await env.model('core.currency').read([...new Set(ids)], ['rate']);
  const rates = env.model('core.currency.rate');
  const found = new Map<number, Decimal | null>();
  for (const { id, rate } of known) {
    const of = ['currency_id', '=', id] as const;
    const [last] = await rates.searchRead([of, ['date', '<=', day]], ['rate'], { order: '-date', limit: 1 });
    const [first] = last ? [] : await rates.searchRead([of], ['rate'], { order: 'date', limit: 1 });
    found.set(id, (last ?? first)?.rate ?? rate);
  }
  return found;
}
