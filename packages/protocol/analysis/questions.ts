import { topConditions } from '../domain/parse-domain.ts';
import type { Domain } from '../domain/tree.ts';
import { fieldType } from '../field-types.ts';
import type { ArchField } from '../wire/arch.ts';
import { type GroupMeasure, type GroupSpec, pivotLevels } from '../wire/rpc.ts';
import type { SearchArch } from '../wire/search-arch.ts';
import { type AnalysisTime, domainIn, type Period } from './comparison.ts';

/** `subtotals` of a graph: the total, each point of the axis and each series. */
export function graphTotals(groupBy: readonly string[]): readonly (readonly string[])[] {
  const [axis, ...split] = groupBy;
  if (axis === undefined) return [];
  return split.length === 0 ? [[]] : [[], [axis], split];
}

/** One `read_group` call; null sends nothing and has no rows. */
export type Question = GroupSpec | null;

interface GraphQuestion {
  readonly domain: Domain;
  /** The group along the axis; null for a pie. */
  readonly axis: string | null;
  /** The groups that split each point of the axis. */
  readonly split: readonly string[];
  readonly fields: readonly GroupMeasure[];
  readonly time: AnalysisTime;
  /** The currency that amounts are converted into; by default, each currency is on its own. */
  readonly money?: GroupSpec['money'] | undefined;
  /** Running totals. */
  readonly isRunning?: boolean;
}

/**
 * The same question for the days that a change compares; null without a comparison. `now` is also null if all days
 * count.
 */
export function changeQuestions(
  ask: (domain: Domain) => GroupSpec,
  domain: Domain,
  { field, soFar, sameDays }: AnalysisTime,
): { readonly before: Question; readonly now: Question } {
  const within = (period: Period | null) => (field && sameDays && period ? ask(domainIn(domain, field, period)) : null);
  return { before: within(sameDays), now: within(soFar) };
}

/**
 * What a graph asks the database: the groups with their totals; the points of the comparison period, along a date; and
 * the days that a change compares, by point and in total. Server and client ask the same questions, so that a board
 * tile already contains the answers.
 */
export function graphQuestions(question: GraphQuestion): readonly Question[] {
  const { domain, axis, split, fields, time, money = true, isRunning = false } = question;
  const groups = axis === null ? split : [axis, ...split];
  const ask = (groupby: readonly string[], within: Domain): GroupSpec => ({
    domain: within,
    groupby,
    fields,
    money,
    ...(isRunning && axis !== null && groupby.includes(axis) ? { running: axis } : {}),
  });
  const places = axis === null ? [] : [axis];
  const { before, now } = changeQuestions(
    (days) => ({ ...ask(places, days), subtotals: graphTotals(places) }),
    domain,
    time,
  );
  const isAlongTime = time.field !== null && axis?.split(':', 1)[0] === time.field.name;
  const compared = isAlongTime && time.compared && time.soFar ? domainIn(domain, time.field, time.compared) : null;
  return [
    { ...ask(groups, domain), subtotals: graphTotals(groups) },
    compared ? ask(places, compared) : null,
    before,
    now,
  ];
}

/** Levels of a pivot with more figures than this are loaded when they are opened. */
export const quickFigures = 2_000;
/** The maximum number of figures of an analytic view. */
export const mostFigures = 10_000;

/** What a pivot asks: every level of both axes with its totals. */
export function pivotQuestion(
  domain: Domain,
  rows: readonly string[],
  columns: readonly string[],
  fields: readonly GroupMeasure[],
  money: GroupSpec['money'] = true,
): GroupSpec {
  const limit = rows.length > 1 || columns.length > 1 ? quickFigures : mostFigures;
  const groups = { groupby: [...rows, ...columns], subtotals: pivotLevels(rows, columns) };
  return { domain, ...groups, fields, money, limit };
}

/** The first group by date, which the period and the comparison refer to. */
export function dateFieldAmong(fields: readonly ArchField[], groups: readonly string[]): ArchField | null {
  for (const group of groups) {
    const field = fields.find(({ name }) => name === group.split(':', 1)[0]);
    if (field && fieldType(field.type).isDate) return field;
  }
  return null;
}

/** The date of the search, then those that the search view offers for grouping. */
export function searchedFields(domain: Domain, { filters }: Pick<SearchArch, 'filters'>): readonly string[] {
  const searched = topConditions(domain).flatMap((node) => (node.kind === 'condition' ? [node.path.join('.')] : []));
  return [...searched, ...filters.flatMap(({ groupBy }) => groupBy ?? [])];
}
