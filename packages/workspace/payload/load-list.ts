import { type Model, targetCurrency } from '@kontor/orm';
import type { Arch, GroupSpec, ListArch, Measure, MoneyTotal } from '@kontor/protocol';
import { maxPage } from '../query/workspace-query.ts';
import type { ViewData, ViewRequest } from './view-request.ts';

/** One page, or the outermost groups; in parallel the total, with the footer in the same statement. */
export async function loadList(request: ViewRequest): Promise<ViewData> {
  const { env, model, arch, projection, search, page } = request;
  const records = env.model(model.name);
  const { groupBy, domain, order } = search;
  const asked = footerOf(arch.list);
  if (groupBy.length === 0) {
    const [rows, footer] = await Promise.all([
      records.searchRead(domain, projection, { ...page, ...(order === undefined ? {} : { order }) }),
      countAndSum(request, fieldMeasures(model, asked)),
    ]);
    return { records: rows, ...footer };
  }
  const level = groupBy.slice(0, 1);
  const cut = { offset: page.offset, limit: request.query.limit ?? maxPage };
  const money = convertedMoney(request);
  const [groups, footer] = await Promise.all([
    records.readGroup({ domain, groupby: level, fields: fieldMeasures(model, asked, level), ...money, ...cut }),
    countAndSum(request, fieldMeasures(model, asked)),
  ]);
  return { records: [], total: footer.total, arch: { ...footer.arch, groupBy, groups } };
}

function footerOf(list: ListArch | undefined): readonly { readonly field: string; readonly measure: Measure }[] {
  const measured = (list?.columns ?? []).filter((column) => column.sum !== undefined || column.avg !== undefined);
  return measured.map(({ name, sum }) => ({ field: name, measure: sum === undefined ? 'avg' : 'sum' }));
}

async function countAndSum(
  request: ViewRequest,
  fields: GroupSpec['fields'],
): Promise<{ readonly total: number; readonly arch: Partial<Arch> }> {
  const { env, model, search, query } = request;
  const records = env.model(model.name);
  const spec = { domain: search.domain, groupby: [], fields, ...convertedMoney(request) };
  if (fields.length === 0) return { total: await records.count(search.domain), arch: {} };
  const [[row], money] = await Promise.all([
    records.readGroup(spec),
    query.convert === null ? moneyTotals(request, fields) : null,
  ]);
  const totals = Object.fromEntries(fields.map(({ name }) => [name, (row?.[name] ?? null) as number | string | null]));
  return { total: row?.__count ?? 0, arch: { totals, ...(money ?? { money: row?.__money ?? {} }) } };
}

/** `money` of a group spec whose amounts are converted. */
export function convertedMoney({ query: { convert } }: ViewRequest): Pick<GroupSpec, 'money'> {
  return convert === null ? {} : { money: convert };
}

/** The currency that all totals are converted into, if one was chosen. */
export async function moneyIn({ env, query }: Pick<ViewRequest, 'env' | 'query'>): Promise<Pick<Arch, 'moneyIn'>> {
  const target = await targetCurrency(env, query.convert);
  return target && query.convert !== null ? { moneyIn: { asked: query.convert, code: target.code } } : {};
}

/** Whether the database can sum the field; it never sees values computed on read. */
function isMeasurable(model: Model, name: string): boolean {
  const field = model.fields.get(name);
  if (!field?.kind.isNumber) return false;
  return field.isStored || field.related !== null || (field.compute !== null && !('value' in field.compute));
}

/** Measures named by their field; a group of the same name would overwrite it in the row. */
export function fieldMeasures(
  model: Model,
  asked: readonly { readonly field: string; readonly measure: Measure }[],
  groupBy: readonly string[] = [],
): GroupSpec['fields'] {
  const taken = new Set(groupBy);
  return asked.flatMap(({ field, measure }) => {
    if (taken.has(field) || !isMeasurable(model, field)) return [];
    taken.add(field);
    return [{ name: field, field, measure }];
  });
}

/** Money measures by currency, because amounts in two currencies have no sum. Empty if a view measures none. */
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
