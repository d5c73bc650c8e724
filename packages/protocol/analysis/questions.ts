import { topConditions } from '../domain/parse-domain.ts';
import type { Domain } from '../domain/tree.ts';
import { fieldType } from '../field-types.ts';
import type { ArchField } from '../wire/arch.ts';
import { type GroupMeasure, type GroupSpec, pivotLevels } from '../wire/rpc.ts';
import type { SearchArch } from '../wire/search-arch.ts';
import { type AnalysisTime, domainIn, type Period } from './comparison.ts';

/** `subtotals` of a graph: the whole, each place of the axis and each part. */
export function graphTotals(groupBy: readonly string[]): readonly (readonly string[])[] {
  const [axis, ...split] = groupBy;
  if (axis === undefined) return [];
  return split.length === 0 ? [[]] : [[], [axis], split];
}

/** One call of `read_group`; null asks nothing and is answered by no rows. */
export type Question = GroupSpec | null;

interface GraphQuestion {
  readonly domain: Domain;
  /** What stands along the axis; null in a pie. */
  readonly axis: string | null;
  /** What splits each place of the axis. */
  readonly split: readonly string[];
  readonly fields: readonly GroupMeasure[];
  readonly time: AnalysisTime;
  /** Each place of the axis with all before it. */
  readonly isRunning?: boolean;
}

/** The same question about the days that a change is between; null where nothing is compared. `now` is also null where all days count. */
export function changeQuestions(
  ask: (domain: Domain) => GroupSpec,
  domain: Domain,
  { field, soFar, sameDays }: AnalysisTime,
): { readonly before: Question; readonly now: Question } {
  const within = (period: Period | null) => (field && sameDays && period ? ask(domainIn(domain, field, period)) : null);
  return { before: within(sameDays), now: within(soFar) };
}

/**
 * What a graph asks the database: the groups with their totals; the places of the period compared with, along a date; the days
 * that a change is between, by place and as a whole, those before and those so far. Server and browser ask the same, so that a
 * tile of a board brings the answers along.
 */
export function graphQuestions(question: GraphQuestion): readonly Question[] {
  const { domain, axis, split, fields, time, isRunning = false } = question;
  const groups = axis === null ? split : [axis, ...split];
  const ask = (groupby: readonly string[], within: Domain): GroupSpec => ({
    domain: within,
    groupby,
    fields,
    money: true,
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

/** Levels of a pivot that bring more figures than this are asked for as they are opened. */
export const quickFigures = 2_000;
/** The figures that a view of figures asks for at most. */
export const mostFigures = 10_000;

/** What a pivot asks: every level of both axes with its totals. */
export function pivotQuestion(
  domain: Domain,
  rows: readonly string[],
  columns: readonly string[],
  fields: readonly GroupMeasure[],
): GroupSpec {
  const limit = rows.length > 1 || columns.length > 1 ? quickFigures : mostFigures;
  const groups = { groupby: [...rows, ...columns], subtotals: pivotLevels(rows, columns) };
  return { domain, ...groups, fields, money: true, limit };
}

/** The first of these groups that is by a date: the one that a period and a comparison are about. */
export function dateFieldAmong(fields: readonly ArchField[], groups: readonly string[]): ArchField | null {
  for (const group of groups) {
    const field = fields.find(({ name }) => name === group.split(':', 1)[0]);
    if (field && fieldType(field.type).isDate) return field;
  }
  return null;
}

/** What is searched by, then what the search view offers to group by. */
export function searchedFields(domain: Domain, { filters }: Pick<SearchArch, 'filters'>): readonly string[] {
  const searched = topConditions(domain).flatMap((node) => (node.kind === 'condition' ? [node.path.join('.')] : []));
  return [...searched, ...filters.flatMap(({ groupBy }) => groupBy ?? [])];
}
