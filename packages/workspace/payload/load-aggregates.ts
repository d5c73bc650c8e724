import {
  type CohortArch,
  type CohortRow,
  type GraphArch,
  type GroupSpec,
  graphTotals,
  type MeasureArch,
  type PivotArch,
  pivotLevels,
} from '@kontor/protocol';
import type { ViewData, ViewRequest } from './view-request.ts';

/** A chart with more groups is unreadable. */
const maxGroups = 10_000;
/** Deeper levels are loaded when they are opened. */
const quickGroups = 2_000;

/** The groups, and in the same statement the total, each point of the axis and each series. */
export async function loadGraph(request: ViewRequest): Promise<ViewData> {
  const graph = request.arch.graph as GraphArch;
  const groupBy = chosen(request, graph.groupBy);
  const rows = await aggregate(request, { groupby: groupBy, subtotals: graphTotals(groupBy) }, graph.measures);
  return { records: [], total: rows[0]?.__count ?? 0, arch: { graph: { ...graph, groupBy, rows } } };
}

/** Every level of both axes in one statement; if that is too large, only the outer levels. */
export async function loadPivot(request: ViewRequest): Promise<ViewData> {
  const pivot = request.arch.pivot as PivotArch;
  const rowGroups = chosen(request, pivot.rowGroups);
  const columnGroups = pivot.columnGroups.filter((name) => !rowGroups.includes(name));
  let levels = { rows: rowGroups.length, columns: columnGroups.length };
  for (;;) {
    const [down, across] = [rowGroups.slice(0, levels.rows), columnGroups.slice(0, levels.columns)];
    const asked = { groupby: [...down, ...across], subtotals: pivotLevels(down, across) };
    const limit = levels.rows > 1 || levels.columns > 1 ? quickGroups : maxGroups;
    const rows = await aggregate(request, asked, pivot.measures, limit);
    if (rows.length < limit || limit === maxGroups) {
      const arch = { pivot: { ...pivot, rowGroups, columnGroups, rows, levels } };
      return { records: [], total: rows[0]?.__count ?? 0, arch };
    }
    levels =
      levels.rows > levels.columns ? { ...levels, rows: levels.rows - 1 } : { ...levels, columns: levels.columns - 1 };
  }
}

/** Rows by both dates, and how many of each period remain in the later ones. */
export async function loadCohort(request: ViewRequest): Promise<ViewData> {
  const { env, model, search, query } = request;
  const cohort = request.arch.cohort as CohortArch;
  const { start, stop, interval, measure } = cohort;
  const groupby = [`${start}:${interval}`, `${stop}:${interval}`];
  const asked = { domain: search.domain, groupby: [], fields: [fieldOf(measure)], cohort: { start, stop, interval } };
  const money = query.convert === null ? {} : { money: query.convert };
  const [rows, cells, total] = await Promise.all([
    aggregate(request, { groupby }, [measure]),
    env.model(model.name).readGroup({ ...asked, ...money }) as Promise<CohortRow[]>,
    count(request),
  ]);
  return { records: [], total, arch: { cohort: { ...cohort, rows, cells } } };
}

function chosen({ search }: ViewRequest, ofView: readonly string[]): readonly string[] {
  return search.groupBy.length > 0 ? search.groupBy : ofView;
}

function count({ env, model, search: { domain } }: ViewRequest): Promise<number> {
  return env.model(model.name).count(domain);
}

/** Rows as returned by `read_group`, amounts of money by currency, or converted into one. */
function aggregate(
  { env, model, search: { domain }, query: { convert } }: ViewRequest,
  groups: Pick<GroupSpec, 'groupby' | 'subtotals'>,
  shown: readonly MeasureArch[],
  limit = maxGroups,
) {
  const fields = shown.map(fieldOf);
  return env.model(model.name).readGroup({ domain, ...groups, fields, money: convert ?? true, limit });
}

function fieldOf({ name, field, measure }: MeasureArch): GroupSpec['fields'][number] {
  return { name, field, measure };
}
