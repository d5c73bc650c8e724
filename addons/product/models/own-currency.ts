import type { Env } from '@kontor/addon';

interface Priced {
  readonly currency_id?: number | null;
  readonly company_id?: number | null;
}

/** What is priced without a currency is priced in that of its company, or of the company that makes it. */
export async function ownCurrency<Row extends Priced>({
  env,
  values,
}: {
  readonly env: Env;
  readonly values: readonly Row[];
}): Promise<readonly Row[]> {
  if (values.every((row) => row.currency_id)) return values;
  const companies = await env.sudo().model('core.company').searchRead([], ['currency_id'], { order: 'id' });
  const currencyOf = new Map(companies.map((company) => [company.id, company.currency_id]));
  const first = companies[0]?.id ?? 0;
  return values.map((row) => {
    if (row.currency_id) return row;
    const currency = currencyOf.get(row.company_id ?? env.actor.companyId ?? first);
    return currency === undefined ? row : { ...row, currency_id: currency };
  });
}
