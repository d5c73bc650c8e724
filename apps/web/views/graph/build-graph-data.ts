import { type Arch, comparedText, figureOf, formatGroup, type GroupRow, rangeOf, t, tn } from '../../door/index.ts';
import { unitOf } from './graph-choice.ts';
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
import { cellOf, type Leaders, type Main, type Plan } from './graph-plan.ts';
import { bucketsOf, datePlaces, type Place, plainPlaces, today } from './places.ts';

interface Answers {
  readonly plan: Plan;
  readonly main: Main;
  readonly rest: readonly GroupRow[];
}

/** The points, series and totals that the chart draws. */
export function graphData(answers: Answers): GraphData {
  const { plan, main } = answers;
  const points = pointsOf(answers);
  const data = { points, series: seriesOf(answers, points), total: cellOf(plan, main.currencyFor, main.whole) };
  return plan.choice.isRunning ? upToToday(data) : data;
}

/** Carries running totals up to today; later points stay empty. */
function upToToday({ points, series, total }: GraphData): GraphData {
  const running = points.findIndex(({ isRunning }) => isRunning);
  const last = running < 0 ? points.length - 1 : running;
  const carried = <T extends Cell>(cellAt: (point: Point) => T | null, upTo: number) =>
    carriedCells(points.map(cellAt), upTo);
  const totals = carried((point) => point.total, last);
  const before = carried((point) => point.before, points.length - 1);
  const now = carried((point) => point.now, last);
  const earlier = carried((point) => point.earlier, last);
  return {
    points: points.map((point, at) => ({
      ...point,
      total: totals[at] ?? null,
      before: before[at] ?? null,
      now: now[at] ?? null,
      earlier: earlier[at] ?? null,
    })),
    series: series.map((one) => ({ ...one, cells: carriedCells(one.cells, last) })),
    total,
  };
}

function pointsOf({ plan, main, rest }: Answers): readonly Point[] {
  const { axis, axisField, split, isDateAxis, isBySize } = plan.choice;
  const { arch } = plan.analysis.workspace;
  const cell = (row: GroupRow | undefined) => cellOf(plan, main.currencyFor, row);
  if (axis === null) return [{ ...wholePoint(arch), total: cell(main.whole) }];
  const leaders = split.length === 0 ? main.leaders : null;
  const { field, period } = plan.time;
  const places = isDateAxis
    ? datePlaces(main.places, axis, { arch, period: field?.name === axisField?.name ? period : null })
    : plainPlaces(leaders ? main.places.filter((row) => leaders.rows.includes(row)) : main.places, axis, arch);
  const byPlace = new Map(main.places.map((row) => [rowKey(row, [axis]), row]));
  const before = beforeOf(plan, main, places, main.before);
  const earlier = beforeOf(plan, main, places, main.earlier);
  const soFar = new Map(main.now.filter((row) => isPlace(plan, row)).map((row) => [rowKey(row, [axis]), row]));
  const now = today();
  const points = places.map((place, at): Point => {
    const { label, short, value } = place;
    const total = cell(byPlace.get(JSON.stringify([value])));
    const range = isDateAxis && typeof value === 'string' ? rangeOf(value) : null;
    const isRunning = range !== null && range[0] <= now && now < range[1];
    const compared = { before: before[at] ?? null, earlier: earlier[at] ?? null };
    const own = { total, now: cell(soFar.get(JSON.stringify([value]))) };
    return {
      key: JSON.stringify(value),
      label,
      short,
      ...own,
      ...compared,
      isRunning,
      isOver: range !== null && range[1] <= now,
    };
  });
  const sorted = isBySize && !isDateAxis ? [...points].sort(bySize) : points;
  return leaders ? [...sorted, { ...wholePoint(arch), ...restNames(leaders), total: cell(rest[0]) }] : sorted;
}

function bySize(one: Point, other: Point): number {
  return Number(other.total?.value ?? 0) - Number(one.total?.value ?? 0);
}

function wholePoint(arch: Arch): Point {
  return {
    key: 'all',
    label: arch.title,
    short: arch.title,
    total: null,
    ...nothingCompared,
    isRunning: false,
    isOver: false,
  };
}

const nothingCompared = { before: null, now: null, earlier: null };

/** Whether a row is the total of one point on the axis. */
function isPlace({ choice: { axis, split } }: Plan, row: GroupRow): boolean {
  return axis !== null && Object.hasOwn(row, axis) && split.every((group) => !Object.hasOwn(row, group));
}

function restNames({ others }: Leaders): { readonly key: string; readonly label: string; readonly short: string } {
  const label = tn('{n} other', '{n} others', others);
  return { key: restKey, label, short: label };
}

/** Figures of the comparison period, by the point that each is compared to. */
function beforeOf(
  plan: Plan,
  main: Main,
  places: readonly Place[],
  found: readonly GroupRow[],
): readonly Point['before'][] {
  const { choice, time, analysis } = plan;
  const { axis, isDateAxis, axisField } = choice;
  const rows = found.filter((row) => isPlace(plan, row));
  if (axis === null || rows.length === 0) return [];
  const byValue = new Map(rows.map((row) => [JSON.stringify(row[axis] ?? null), row]));
  const isOfPeriod = isDateAxis && time.field?.name === axisField?.name;
  const buckets = isOfPeriod && time.compared ? bucketsOf(time.compared, axis.split(':')[1] ?? 'month') : null;
  const words = time.sameDays ? comparedText(analysis.compare, time.sameDays) : t('Before');
  return places.map(({ value }, at) => {
    const row = byValue.get(JSON.stringify(buckets ? (buckets[at] ?? null) : value));
    const cell = cellOf(plan, main.currencyFor, row);
    const label = row && buckets ? formatGroup(analysis.workspace.arch, axis, row) : words;
    return cell && { ...cell, label };
  });
}

function seriesOf({ plan, main, rest }: Answers, points: readonly Point[]): readonly Series[] {
  const { axis, split, measure } = plan.choice;
  const { arch } = plan.analysis.workspace;
  const { leaders, currencyFor } = main;
  const cell = (row: GroupRow | undefined) => cellOf(plan, currencyFor, row);
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

/** One series per measure. */
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
    total: cellOf(plan, main.currencyFor, main.whole, measure),
    cells: points.map(({ key }) => cellOf(plan, main.currencyFor, rows.get(key), measure)),
  }));
}

/** Selections and dates keep their order; other series are sorted by size, the largest first. */
function rankedParts(
  { analysis, choice }: Plan,
  { currencyFor }: Main,
  rows: readonly GroupRow[],
): readonly GroupRow[] {
  const [group = ''] = choice.split;
  const field = analysis.workspace.arch.fields.find(({ name }) => name === group);
  if (group.includes(':') || (choice.split.length === 1 && field?.selection)) return rows;
  const size = (row: GroupRow) => Number(figureOf(row, choice.measure, currencyFor(choice.measure)) ?? 0);
  return [...rows].sort((a, b) => size(b) - size(a));
}
