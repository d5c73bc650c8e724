import type { Arch, GroupSpec, MoneyTotal } from '@kontor/protocol';
import type { ViewRequest } from './view-request.ts';

/** Measures of money by currency: amounts of two currencies have no sum. Nothing where a view measures none. */
export async function moneyTotals(
  { env, model, arch, search }: ViewRequest,
  measures: GroupSpec['fields'],
): Promise<Pick<Arch, 'money'>> {
  const byCurrency = new Map<string, GroupSpec['fields'][number][]>();
  for (const measure of measures) {
    const currency = groupableCurrency(arch, measure.field);
    if (currency !== undefined) byCurrency.set(currency, [...(byCurrency.get(currency) ?? []), measure]);
  }
  const found = await Promise.all(
    [...byCurrency].map(async ([currency, fields]) => {
      const rows = await env.model(model.name).readGroup({ domain: search.domain, groupby: [currency], fields });
      return fields.map(({ name }) => [name, rows.map((row) => totalOf(row, currency, name))] as const);
    }),
  );
  return byCurrency.size === 0 ? {} : { money: Object.fromEntries(found.flat()) };
}

function groupableCurrency({ fields }: Arch, name: string): string | undefined {
  const currency = fields.find((field) => field.name === name)?.currency;
  return fields.some((field) => field.name === currency && field.groupable) ? currency : undefined;
}

function totalOf(row: Readonly<Record<string, unknown>>, currency: string, name: string): MoneyTotal {
  const code = row[`${currency}.display_name`];
  return { currency: typeof code === 'string' ? code : null, value: (row[name] ?? 0) as number | string };
}
