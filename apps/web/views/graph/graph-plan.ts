import {
  type Analysis,
  type AnalysisTime,
  type Answer,
  askedMeasures,
  type CurrencyChoice,
  conjoin,
  currencyOf,
  type Domain,
  disjoin,
  domainOf,
  figureOf,
  type GroupRow,
  graphQuestions,
  graphTotals,
  isAdditive,
  type MeasureArch,
  moneyOfQuestions,
  negate,
  noCurrency,
  parseDomain,
  type Question,
  serializeDomain,
  timeOf,
  topConditions,
} from '../../door/index.ts';
import type { GraphChoice } from './graph-choice.ts';
import { type Cell, rowKey } from './graph-data.ts';
import { subtractFigures } from './subtract-figures.ts';

export interface Plan {
  readonly analysis: Analysis;
  readonly choice: GraphChoice;
  readonly domain: Domain;
  readonly time: AnalysisTime;
  /** As built by `graphQuestions`. */
  readonly questions: readonly Question[];
  readonly known: Answer | undefined;
}

export function planOf(analysis: Analysis, choice: GraphChoice): Plan {
  const { arch } = analysis.workspace;
  const { axis, split, measures, isRunning } = choice;
  const found = timeOf(analysis);
  // Several measures are compared with each other, not with another period.
  const time = measures.length > 1 ? { ...found, compared: null, sameDays: null } : found;
  const domain = arch.domain ?? [];
  const money = moneyOfQuestions(analysis);
  const questions = graphQuestions({ domain, axis, split, fields: askedMeasures(measures), time, money, isRunning });
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

/** The answers by grouping set. */
export interface Main {
  /** By all groups, by the axis, by the split, and the total. */
  readonly all: readonly GroupRow[];
  readonly places: readonly GroupRow[];
  readonly parts: readonly GroupRow[];
  readonly whole: GroupRow | undefined;
  /** The points of the comparison period. */
  readonly before: readonly GroupRow[];
  /** By point and in total: the period up to today, and the same days of the period before. */
  readonly now: readonly GroupRow[];
  readonly earlier: readonly GroupRow[];
  /** The currency to choose, from the measure with the most currencies; each measure has its own. */
  readonly currency: CurrencyChoice;
  readonly currencyFor: CurrencyFor;
  readonly codeOf: (measure: MeasureArch) => string | null;
  readonly leaders: Leaders | null;
}

type CurrencyFor = (measure: MeasureArch) => CurrencyChoice;

export function mainOf(
  plan: Plan,
  [rows = [], along = [], earlier = [], now = []]: readonly (readonly GroupRow[])[],
): Main {
  const { axis, split, measures } = plan.choice;
  const [, isAlong, , isCut] = plan.questions;
  const groups = axis === null ? split : [axis, ...split];
  // A row has only the keys of its grouping set.
  const by = (keys: readonly string[]) =>
    rows.filter((row) => groups.every((group) => Object.hasOwn(row, group) === keys.includes(group)));
  const [whole] = by([]);
  const currencies = new Map(measures.map((measure) => [measure.name, currencyOf(plan.analysis, measure, whole)]));
  const [currency = noCurrency] = [...currencies.values()].sort((one, other) => other.codes.length - one.codes.length);
  const sorted = {
    all: by(groups),
    places: axis === null ? [] : by([axis]),
    parts: by(split),
    whole,
    before: isAlong ? along : earlier,
    now: isCut ? now : rows,
    earlier,
    currency,
    currencyFor: ({ name }: MeasureArch) => currencies.get(name) ?? noCurrency,
    codeOf: ({ name }: MeasureArch) => currencies.get(name)?.code ?? null,
  };
  return { ...sorted, leaders: leadersOf(plan, sorted) };
}

/** The row of the grand total. */
export function wholeOf({ choice }: Plan, rows: readonly GroupRow[]): GroupRow | undefined {
  const groups = choice.axis === null ? choice.split : [choice.axis, ...choice.split];
  return rows.find((row) => groups.every((group) => !Object.hasOwn(row, group)));
}

export function cellOf(
  { analysis, choice }: Plan,
  currencyFor: CurrencyFor,
  row: GroupRow | undefined,
  measure = choice.measure,
): Cell | null {
  const currency = currencyFor(measure);
  const value = figureOf(row, measure, currency);
  if (!row || value === undefined) return null;
  return { value, count: row.__count, domain: domainOf(row, analysis, measure, currency) };
}

/** The groups that are shown individually; null if all are. */
export interface Leaders {
  readonly rows: readonly GroupRow[];
  readonly others: number;
}

function leadersOf(
  { choice }: Plan,
  { places, parts, currencyFor }: Pick<Main, 'places' | 'parts' | 'currencyFor'>,
): Leaders | null {
  const { top, split, isDateAxis, measure } = choice;
  const isByPart = split.length > 0;
  if (top === 0 || (!isByPart && isDateAxis)) return null;
  const rows = isByPart ? parts : places;
  if (rows.length <= top + 1) return null;
  const size = (row: GroupRow) => Number(figureOf(row, measure, currencyFor(measure)) ?? 0);
  const sorted = [...rows].sort((a, b) => size(b) - size(a));
  return { rows: sorted.slice(0, top), others: rows.length - top };
}

/** What remains without the leaders, by point and in total. */
export function restQuestions({ analysis, choice, domain }: Plan, { leaders }: Main): readonly Question[] {
  if (!leaders) return [];
  const { axis, split, measures, isRunning } = choice;
  const base = topConditions(domain).length;
  const own = leaders.rows.map((row) => conjoin(...topConditions(row.__domain).slice(base)));
  const within = serializeDomain(conjoin(parseDomain(domain), negate(disjoin(...own))));
  const groupby = split.length > 0 && axis !== null ? [axis] : [];
  const fields = askedMeasures(measures);
  const running = isRunning && axis !== null && groupby.length > 0 ? { running: axis } : {};
  const money = moneyOfQuestions(analysis);
  return [{ domain: within, groupby, fields, money, subtotals: graphTotals(groupby), ...running }];
}

/** The same without a request: for sums and counts, the rest is exactly the total minus the leaders. */
export function leftOver(plan: Plan, main: Main): readonly GroupRow[] {
  const { axis, split, measure } = plan.choice;
  const [question] = restQuestions(plan, main);
  if (!question || !main.leaders || !isAdditive(measure)) return [];
  const leaders = new Set(main.leaders.rows.map((row) => rowKey(row, split)));
  const figure = (row: GroupRow): Cell['value'] => figureOf(row, measure, main.currencyFor(measure)) ?? 0;
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
