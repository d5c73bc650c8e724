import { useMemo, useRef } from 'react';
import {
  type Analysis,
  type AnalysisTime,
  type Answer,
  type Arch,
  askedMeasures,
  type CurrencyChoice,
  conjoin,
  currencyOf,
  type Domain,
  disjoin,
  domainOf,
  type Figures,
  figureOf,
  formatGroup,
  type GroupRow,
  graphQuestions,
  graphTotals,
  isAdditive,
  negate,
  type Period,
  parseDomain,
  type Question,
  rangeOf,
  serializeDomain,
  t,
  timeOf,
  tn,
  topConditions,
  useFigures,
} from '../../door/index.ts';
import { type GraphChoice, unitOf } from './graph-choice.ts';
import {
  type Cell,
  carriedCells,
  type GraphData,
  type Point,
  restKey,
  rowKey,
  type Series,
  seriesColour,
} from './graph-data.ts';
import { bucketsOf, datePlaces, type Place, plainPlaces, today } from './places.ts';
import { subtractFigures } from './subtract-figures.ts';

export interface Graph {
  /** Null until the first answers are here; then what was shown last stays until the next is. */
  readonly data: GraphData | null;
  /** What `data` shows, which lags behind a choice that is still being loaded. */
  readonly choice: GraphChoice;
  readonly currency: CurrencyChoice;
  readonly figures: Figures;
  readonly period: Period | null;
  /** What the whole comes to in the period compared with, up to the same day. */
  readonly before: Cell | null;
}

/** Asks the database for every figure of the chart: parts, wholes, the rest and the period compared with. */
export function useGraph(analysis: Analysis, choice: GraphChoice): Graph {
  const { workspace } = analysis;
  const plan = useMemo(() => planOf(analysis, choice), [analysis, choice]);
  const first = useFigures(workspace, plan.questions, plan.known);
  const shown = first.rows && !first.isStale ? first.rows : null;
  const main = useMemo(() => shown && mainOf(plan, shown), [plan, shown]);
  // A tile of a board brought everything along, and asks nothing more; what adds up cannot be taken away from a whole.
  const isBrought = workspace.arch.answers !== undefined && !choice.isRunning;
  const rest = useFigures(workspace, main && !isBrought ? restQuestions(plan, main) : []);
  const asked = rest.rows && !rest.isStale ? rest.rows : null;
  const restRows = useMemo(() => (isBrought ? main && [leftOver(plan, main)] : asked), [isBrought, plan, main, asked]);
  const fresh = useMemo(
    () => (main && restRows ? graphData({ plan, main, rest: restRows[0] ?? [] }) : null),
    [plan, main, restRows],
  );
  const retry = () => {
    for (const figures of [first, rest]) if (figures.error) figures.retry();
  };
  const figures: Figures = { rows: first.rows, error: first.error ?? rest.error, isStale: fresh === null, retry };
  const last = useRef<Omit<Graph, 'figures'>>(null);
  if (fresh && main) {
    const before = cellOf(plan, main.currency, main.soFar);
    last.current = { data: fresh, choice, currency: main.currency, period: plan.time.period, before };
  }
  const nothing = { data: null, choice, currency: noCurrency, period: plan.time.period, before: null };
  return { ...(last.current ?? nothing), figures };
}

const noCurrency: CurrencyChoice = { codes: [], code: null };

interface Plan {
  readonly analysis: Analysis;
  readonly choice: GraphChoice;
  readonly domain: Domain;
  readonly time: AnalysisTime;
  /** The groups with their totals; the places of the period compared with; its whole up to the same day. */
  readonly questions: readonly Question[];
  readonly known: Answer | undefined;
}

function planOf(analysis: Analysis, choice: GraphChoice): Plan {
  const { arch } = analysis.workspace;
  const { axis, split, measures, isRunning } = choice;
  const found = timeOf(analysis);
  // Several measures are compared with each other.
  const time = measures.length > 1 ? { ...found, compared: null, sameDays: null } : found;
  const domain = arch.domain ?? [];
  const questions = graphQuestions({ domain, axis, split, fields: askedMeasures(measures), time, isRunning });
  const { graph } = arch;
  const isMeasured = measures.every(
    ({ name }) => name === '__count' || graph?.measures.some((known) => known.name === name),
  );
  const [main] = questions;
  const isKnown = graph && isMeasured && !isRunning && String(graph.groupBy) === String(main?.groupby);
  return {
    analysis,
    choice,
    domain,
    time,
    questions,
    known: isKnown && main ? { spec: main, rows: graph.rows } : undefined,
  };
}

/** The answers, sorted out. */
interface Main {
  /** By all groups, by the axis alone, by the parts alone, and the whole. */
  readonly all: readonly GroupRow[];
  readonly places: readonly GroupRow[];
  readonly parts: readonly GroupRow[];
  readonly whole: GroupRow | undefined;
  readonly before: readonly GroupRow[];
  readonly soFar: GroupRow | undefined;
  readonly currency: CurrencyChoice;
  readonly leaders: Leaders | null;
}

function mainOf(plan: Plan, [rows = [], before = [], soFar = []]: readonly (readonly GroupRow[])[]): Main {
  const { axis, split, measures } = plan.choice;
  const groups = axis === null ? split : [axis, ...split];
  // A row has the keys of its set alone.
  const by = (keys: readonly string[]) =>
    rows.filter((row) => groups.every((group) => Object.hasOwn(row, group) === keys.includes(group)));
  const [whole] = by([]);
  const [currency = noCurrency] = measures
    .map((measure) => currencyOf(plan.analysis, measure, whole))
    .sort((one, other) => other.codes.length - one.codes.length);
  const sorted = {
    all: by(groups),
    places: axis === null ? [] : by([axis]),
    parts: by(split),
    whole,
    before,
    currency,
  };
  return { ...sorted, soFar: soFar[0], leaders: leadersOf(plan, sorted) };
}

function cellOf(
  { analysis, choice }: Plan,
  currency: CurrencyChoice,
  row: GroupRow | undefined,
  measure = choice.measure,
): Cell | null {
  const value = figureOf(row, measure, currency);
  if (!row || value === undefined) return null;
  return { value, count: row.__count, domain: domainOf(row, analysis, measure, currency) };
}

/** The parts that are shown for themselves; null when all of them are. */
interface Leaders {
  readonly rows: readonly GroupRow[];
  readonly others: number;
}

function leadersOf(
  { choice }: Plan,
  { places, parts, currency }: Pick<Main, 'places' | 'parts' | 'currency'>,
): Leaders | null {
  const { top, split, isDateAxis, measure } = choice;
  const isByPart = split.length > 0;
  if (top === 0 || (!isByPart && isDateAxis)) return null;
  const rows = isByPart ? parts : places;
  if (rows.length <= top + 1) return null;
  const size = (row: GroupRow) => Number(figureOf(row, measure, currency) ?? 0);
  const sorted = [...rows].sort((a, b) => size(b) - size(a));
  return { rows: sorted.slice(0, top), others: rows.length - top };
}

/** What is left when the leaders are taken away, by place and as a whole. */
function restQuestions({ choice, domain }: Plan, { leaders }: Main): readonly Question[] {
  if (!leaders) return [];
  const { axis, split, measures, isRunning } = choice;
  const base = topConditions(domain).length;
  const own = leaders.rows.map((row) => conjoin(...topConditions(row.__domain).slice(base)));
  const within = serializeDomain(conjoin(parseDomain(domain), negate(disjoin(...own))));
  const groupby = split.length > 0 && axis !== null ? [axis] : [];
  const fields = askedMeasures(measures);
  const running = isRunning && axis !== null && groupby.length > 0 ? { running: axis } : {};
  return [{ domain: within, groupby, fields, money: true, subtotals: graphTotals(groupby), ...running }];
}

/** The same without asking: of a sum or a count what is left is the whole less the leaders, to the digit. */
function leftOver(plan: Plan, main: Main): readonly GroupRow[] {
  const { axis, split, measure } = plan.choice;
  const [question] = restQuestions(plan, main);
  if (!question || !main.leaders || !isAdditive(measure)) return [];
  const leaders = new Set(main.leaders.rows.map((row) => rowKey(row, split)));
  const figure = (row: GroupRow): Cell['value'] => figureOf(row, measure, main.currency) ?? 0;
  const less = (whole: GroupRow, parts: readonly GroupRow[]): GroupRow => ({
    __domain: [...whole.__domain, ...question.domain],
    __count: parts.reduce((left, part) => left - part.__count, whole.__count),
    ...(axis !== null && Object.hasOwn(whole, axis) ? { [axis]: whole[axis] } : {}),
    ...(measure.name === '__count'
      ? {}
      : { [measure.name]: parts.reduce((left, part) => subtractFigures(left, figure(part)), figure(whole)) }),
  });
  const wholes = main.whole ? [less(main.whole, main.leaders.rows)] : [];
  if (axis === null || split.length === 0) return wholes;
  const shown = main.all.filter((row) => leaders.has(rowKey(row, split)));
  return [
    ...wholes,
    ...main.places.map((place) =>
      less(
        place,
        shown.filter((row) => row[axis] === place[axis]),
      ),
    ),
  ];
}

interface Answers {
  readonly plan: Plan;
  readonly main: Main;
  readonly rest: readonly GroupRow[];
}

function graphData(answers: Answers): GraphData {
  const { plan, main } = answers;
  const points = pointsOf(answers);
  const data = { points, series: seriesOf(answers, points), total: cellOf(plan, main.currency, main.whole) };
  return plan.choice.isRunning ? upToToday(data) : data;
}

/** A total that the database lets grow from place to place ends today. */
function upToToday({ points, series, total }: GraphData): GraphData {
  const now = points.findIndex(({ isRunning }) => isRunning);
  const last = now < 0 ? points.length - 1 : now;
  const totals = carriedCells(
    points.map((point) => point.total),
    last,
  );
  const before = carriedCells(
    points.map((point) => point.before),
    points.length - 1,
  );
  return {
    points: points.map((point, at) => ({ ...point, total: totals[at] ?? null, before: before[at] ?? null })),
    series: series.map((one) => ({ ...one, cells: carriedCells(one.cells, last) })),
    total,
  };
}

function pointsOf({ plan, main, rest }: Answers): readonly Point[] {
  const { axis, axisField, split, isDateAxis, isBySize } = plan.choice;
  const { arch } = plan.analysis.workspace;
  const cell = (row: GroupRow | undefined) => cellOf(plan, main.currency, row);
  if (axis === null) return [{ ...wholePoint(arch), total: cell(main.whole) }];
  const leaders = split.length === 0 ? main.leaders : null;
  const { field, period } = plan.time;
  const places = isDateAxis
    ? datePlaces(main.places, axis, { arch, period: field?.name === axisField?.name ? period : null })
    : plainPlaces(leaders ? main.places.filter((row) => leaders.rows.includes(row)) : main.places, axis, arch);
  const byPlace = new Map(main.places.map((row) => [rowKey(row, [axis]), row]));
  const before = beforeOf(plan, main, places);
  const now = today();
  const points = places.map((place, at): Point => {
    const { label, short, value } = place;
    const total = cell(byPlace.get(JSON.stringify([value])));
    const isRunning = isDateAxis && isNow(value, now);
    return { key: JSON.stringify(value), label, short, total, before: before[at] ?? null, isRunning };
  });
  const sorted = isBySize && !isDateAxis ? [...points].sort(bySize) : points;
  return leaders ? [...sorted, { ...wholePoint(arch), ...restNames(leaders), total: cell(rest[0]) }] : sorted;
}

function bySize(one: Point, other: Point): number {
  return Number(other.total?.value ?? 0) - Number(one.total?.value ?? 0);
}

function wholePoint(arch: Arch): Point {
  return { key: 'all', label: arch.title, short: arch.title, total: null, before: null, isRunning: false };
}

function restNames({ others }: Leaders): { readonly key: string; readonly label: string; readonly short: string } {
  const label = tn('{n} other', '{n} others', others);
  return { key: restKey, label, short: label };
}

function isNow(bucket: unknown, now: string): boolean {
  const range = typeof bucket === 'string' ? rangeOf(bucket) : null;
  return range !== null && range[0] <= now && now < range[1];
}

/** The figures of the period compared with, each at the place that it is compared to. */
function beforeOf(plan: Plan, main: Main, places: readonly Place[]): readonly Point['before'][] {
  const { choice, time, analysis } = plan;
  const { axis, isDateAxis, axisField } = choice;
  if (axis === null || main.before.length === 0) return [];
  const byValue = new Map(main.before.map((row) => [JSON.stringify(row[axis] ?? null), row]));
  const isOfPeriod = isDateAxis && time.field?.name === axisField?.name;
  const buckets = isOfPeriod && time.compared ? bucketsOf(time.compared, axis.split(':')[1] ?? 'month') : null;
  return places.map(({ value }, at) => {
    const row = byValue.get(JSON.stringify(buckets ? (buckets[at] ?? null) : value));
    const cell = cellOf(plan, main.currency, row);
    const label = row && buckets ? formatGroup(analysis.workspace.arch, axis, row) : t('Before');
    return cell && { ...cell, label };
  });
}

function seriesOf({ plan, main, rest }: Answers, points: readonly Point[]): readonly Series[] {
  const { axis, split, measure } = plan.choice;
  const { arch } = plan.analysis.workspace;
  const { leaders, currency } = main;
  const cell = (row: GroupRow | undefined) => cellOf(plan, currency, row);
  if (split.length === 0) return measureSeries({ plan, main, rest }, points);
  const shown = leaders ? main.parts.filter((row) => leaders.rows.includes(row)) : main.parts;
  const groups = axis === null ? split : [axis, ...split];
  const byGroups = new Map(main.all.map((row) => [rowKey(row, groups), row]));
  const series = rankedParts(plan, main, shown).map((row, at): Series => {
    const values = split.map((group) => row[group] ?? null);
    const keyAt = ({ key }: Point) => JSON.stringify(axis === null ? values : [JSON.parse(key), ...values]);
    return {
      key: rowKey(row, split),
      label: split.map((group) => formatGroup(arch, group, row)).join(' · '),
      colour: seriesColour(at, false),
      isRest: false,
      measure,
      isAside: false,
      total: cell(row),
      cells: points.map((point) => cell(byGroups.get(keyAt(point)))),
    };
  });
  if (!leaders) return series;
  const whole = cell(rest.find((row) => axis === null || !Object.hasOwn(row, axis)));
  const byPlace = new Map(
    rest.flatMap((row) => (axis !== null && Object.hasOwn(row, axis) ? [[JSON.stringify(row[axis]), row]] : [])),
  );
  const cells = axis === null ? [whole] : points.map(({ key }) => cell(byPlace.get(key)));
  const names = { ...restNames(leaders), colour: seriesColour(0, true), isRest: true };
  return [...series, { ...names, measure, isAside: false, total: whole, cells }];
}

/** One part for each measure. */
function measureSeries({ plan, main, rest }: Answers, points: readonly Point[]): readonly Series[] {
  const { axis, measures, measure: first } = plan.choice;
  const { arch } = plan.analysis.workspace;
  const rows = new Map(axis === null ? [] : main.places.map((row) => [JSON.stringify(row[axis] ?? null), row]));
  rows.set('all', main.whole as GroupRow);
  if (rest[0]) rows.set('rest', rest[0]);
  return measures.map((measure, at) => ({
    key: at === 0 ? 'all' : measure.name,
    label: measure.label,
    colour: seriesColour(at, false),
    isRest: false,
    measure,
    isAside: unitOf(arch, measure) !== unitOf(arch, first),
    total: cellOf(plan, main.currency, main.whole, measure),
    cells: points.map(({ key }) => cellOf(plan, main.currency, rows.get(key), measure)),
  }));
}

/** A selection and dates keep their order; other parts go by their size, the largest first, so that the eye finds them. */
function rankedParts({ analysis, choice }: Plan, { currency }: Main, rows: readonly GroupRow[]): readonly GroupRow[] {
  const [group = ''] = choice.split;
  const field = analysis.workspace.arch.fields.find(({ name }) => name === group);
  if (group.includes(':') || (choice.split.length === 1 && field?.selection)) return rows;
  const size = (row: GroupRow) => Number(figureOf(row, choice.measure, currency) ?? 0);
  return [...rows].sort((a, b) => size(b) - size(a));
}
