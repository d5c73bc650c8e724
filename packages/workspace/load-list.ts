import type { Arch, GroupSpec, ListArch, Measure } from '@kontor/protocol';
import { fieldMeasures } from './measures.ts';
import { moneyTotals } from './money-totals.ts';
import type { ViewData, ViewRequest } from './view-request.ts';
import { maxPage } from './workspace-query.ts';

/** One page, or the outermost groups; and side by side the total, with the footer in the same statement. */
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
  const [groups, footer] = await Promise.all([
    records.readGroup({ domain, groupby: level, fields: fieldMeasures(model, asked, level), ...cut }),
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
  const { env, model, search } = request;
  const records = env.model(model.name);
  if (fields.length === 0) return { total: await records.count(search.domain), arch: {} };
  const [[row], money] = await Promise.all([
    records.readGroup({ domain: search.domain, groupby: [], fields }),
    moneyTotals(request, fields),
  ]);
  const totals = Object.fromEntries(fields.map(({ name }) => [name, (row?.[name] ?? null) as number | string | null]));
  return { total: row?.__count ?? 0, arch: { totals, ...money } };
}
