import type { CohortArch, GraphArch, GroupSpec, MeasureArch, PivotArch } from '@kontor/protocol';
import type { ViewData, ViewRequest } from './view-request.ts';

/** More groups than anybody can look at; a chart of them says nothing. */
const maxGroups = 10_000;

export async function loadGraph(request: ViewRequest): Promise<ViewData> {
  const graph = request.arch.graph as GraphArch;
  const groupBy = chosen(request, graph.groupBy);
  const { rows, total } = await aggregate(request, groupBy, graph.measures);
  return { records: [], total, arch: { graph: { ...graph, groupBy, rows } } };
}

export async function loadPivot(request: ViewRequest): Promise<ViewData> {
  const pivot = request.arch.pivot as PivotArch;
  const rowGroups = chosen(request, pivot.rowGroups);
  const columnGroups = pivot.columnGroups.filter((name) => !rowGroups.includes(name));
  const { rows, total } = await aggregate(request, [...rowGroups, ...columnGroups], pivot.measures);
  return { records: [], total, arch: { pivot: { ...pivot, rowGroups, columnGroups, rows } } };
}

export async function loadCohort(request: ViewRequest): Promise<ViewData> {
  const cohort = request.arch.cohort as CohortArch;
  const groupBy = [`${cohort.start}:${cohort.interval}`, `${cohort.stop}:${cohort.interval}`];
  const { rows, total } = await aggregate(request, groupBy, [cohort.measure]);
  return { records: [], total, arch: { cohort: { ...cohort, rows } } };
}

function chosen({ search }: ViewRequest, ofView: readonly string[]): readonly string[] {
  return search.groupBy.length > 0 ? search.groupBy : ofView;
}

/** Rows as `read_group` gives them, and how many records are behind them. */
async function aggregate(
  { env, model, search: { domain } }: ViewRequest,
  groupby: readonly string[],
  measures: readonly MeasureArch[],
) {
  const records = env.model(model.name);
  const fields = measures.flatMap(toMeasure);
  const [rows, total] = await Promise.all([
    records.readGroup({ domain, groupby, fields, limit: maxGroups }),
    records.count(domain),
  ]);
  return { rows, total };
}

/** How many records there are every row tells anyway, as `__count`. */
function toMeasure({ name, field, measure }: MeasureArch): GroupSpec['fields'] {
  return name === '__count' ? [] : [{ name, field, measure }];
}
