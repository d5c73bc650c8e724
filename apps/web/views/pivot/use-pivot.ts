import { useEffect, useMemo, useRef, useState } from 'react';
import {
  type Analysis,
  type Answer,
  type Arch,
  askedMeasures,
  type CurrencyChoice,
  currencyOf,
  domainIn,
  type Figures,
  fieldOfMeasure,
  figureOf,
  type GroupRow,
  type GroupSpec,
  mostFigures,
  pivotLevels,
  pivotQuestion,
  quickFigures,
  readGroup,
  showError,
  timeOf,
  useFigures,
  whileBusy,
} from '../../door/index.ts';
import { movedRow } from './moved-row.ts';
import { type Axis, type AxisNode, type PivotAnswer, type PivotTable, pivotTable } from './pivot-table.ts';

interface Levels {
  readonly rows: number;
  readonly columns: number;
}

export interface Pivot {
  /** Null until it is here; what was there stays until the next is. */
  readonly table: PivotTable | null;
  /** What the table shows, which lags behind a choice that is still being loaded. */
  readonly analysis: Analysis;
  /** The same figures of the period compared with. */
  readonly before: PivotTable | null;
  readonly figures: Figures;
  /** The one that amounts are shown in. */
  readonly currency: CurrencyChoice;
  /** There are more figures than are shown. */
  readonly isCut: boolean;
  /** Asks for the parts of a group, in one call. */
  load(axis: Axis, node: AxisNode): Promise<void>;
}

/** The figures of both axes: what the workspace brought along, what is asked for otherwise, and levels that were opened. */
// Over 60 lines: each step needs the questions and answers of those before.
export function usePivot(analysis: Analysis, isWaiting: boolean): Pivot {
  const { workspace, groupBy, measures, compare } = analysis;
  const columns = analysis.columns.filter((group) => !groupBy.includes(group));
  const { arch, model } = workspace;
  const groupsKey = JSON.stringify([groupBy, columns]);
  const [cut, setCut] = useState<{ readonly key: string; readonly levels: Levels } | null>(null);
  const levels = cut?.key === groupsKey ? cut.levels : firstLevels(arch, groupBy, columns);
  const domain = arch.domain ?? [];
  const times = useMemo(() => timesOf(analysis), [analysis]);
  const fields = askedMeasures(measures);
  const ask = (within: GroupSpec['domain']): GroupSpec =>
    pivotQuestion(within, groupBy.slice(0, levels.rows), columns.slice(0, levels.columns), fields);
  const question = ask(domain);
  const compared = times ? ask(domainIn(domain, times.field, times.before)) : null;
  const known = knownAnswer(arch, question, { ...analysis, columns });
  // Rows come with the workspace, columns with the address: before both are here there is nothing to ask.
  const figures = useFigures(workspace, isWaiting ? [] : [question, compared], known);
  const key = JSON.stringify([question, compare]);
  const [own, later] = figures.isStale ? [] : (figures.rows ?? []);
  const isTooMuch = own !== undefined && own.length >= limitOf(levels) && limitOf(levels) === quickFigures;
  useEffect(() => {
    if (isTooMuch) setCut({ key: groupsKey, levels: fewer(levels) });
  });
  const opened = useOpened(analysis, key);
  const loaded = own && !isTooMuch ? own : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: groups and measures are those of the analysis, levels by their numbers.
  const fresh = useMemo(() => {
    if (!loaded) return null;
    const currency = moneyOf(analysis, loaded[0]);
    const told = inCurrency(measures, currency);
    const axes = { down: { path: [], groups: groupBy }, across: { path: [], groups: columns } };
    const main = cropped(axes, levels);
    const move = (row: GroupRow) => told(times ? movedRow(row, times.before, times.period) : row);
    return {
      currency,
      analysis: { ...analysis, columns },
      table: pivotTable([
        { rows: loaded.map(told), ...main },
        ...opened.answers.map(({ now }) => ({ ...now, rows: now.rows.map(told) })),
      ]),
      before:
        times && later
          ? pivotTable([
              { rows: later.map(move), ...main },
              ...opened.answers.flatMap(({ before }) => (before ? [{ ...before, rows: before.rows.map(move) }] : [])),
            ])
          : null,
    };
  }, [loaded, later, times, opened.answers, analysis, levels.rows, levels.columns]);
  const last = useRef(fresh);
  if (fresh) last.current = fresh;
  const load = async (axis: Axis, node: AxisNode) => {
    const deep = deepest(last.current?.table ?? null);
    const within = node.row?.__domain ?? domain;
    const next = (axis === 'rows' ? groupBy : columns)[node.path.length] as string;
    const other = axis === 'rows' ? columns.slice(0, deep.columns) : groupBy.slice(0, deep.rows);
    const spec = {
      domain: within,
      groupby: axis === 'rows' ? [next, ...other] : [...other, next],
      fields,
      money: true,
      subtotals: pivotLevels([], other).map((set) => (axis === 'rows' ? [next, ...set] : [...set, next])),
      limit: mostFigures,
    };
    const specs = [spec, times ? { ...spec, domain: domainIn(within, times.field, times.before) } : null];
    const axes = {
      rows: { down: { path: node.path, groups: [next] }, across: { path: [], groups: other } },
      columns: { down: { path: [], groups: other }, across: { path: node.path, groups: [next] } },
    }[axis];
    await opened.add({ key: `${axis} ${node.key}`, model, specs, axes });
  };
  const isCut = loaded !== null && loaded.length >= mostFigures;
  return { table: null, before: null, currency: noCurrency, analysis, ...last.current, figures, isCut, load };
}

const noCurrency: CurrencyChoice = { codes: [], code: null };

function moneyOf(analysis: Analysis, whole: GroupRow | undefined): CurrencyChoice {
  const { arch } = analysis.workspace;
  const money = analysis.measures.find(
    (measure) => whole?.__money?.[measure.name] && fieldOfMeasure(arch, measure)?.currency,
  );
  return money ? currencyOf(analysis, money, whole) : noCurrency;
}

/** Rows whose amounts are those in the chosen currency, where there are several. */
function inCurrency(measures: Analysis['measures'], currency: CurrencyChoice): (row: GroupRow) => GroupRow {
  if (currency.codes.length < 2) return (row) => row;
  return (row) => {
    const told = measures.map((measure) => [measure.name, figureOf(row, measure, currency) ?? null]);
    return { ...row, ...(Object.fromEntries(told) as object) };
  };
}

interface Opened {
  readonly key: string;
  readonly model: string;
  readonly specs: readonly (GroupSpec | null)[];
  readonly axes: Omit<PivotAnswer, 'rows'>;
}
interface OpenedAnswer {
  readonly now: PivotAnswer;
  readonly before: PivotAnswer | null;
}

/** Levels that were opened one by one. They are forgotten with another question, and asked for again with newer data. */
function useOpened({ workspace }: Analysis, question: string) {
  const [state, setState] = useState<{ key: string; asked: readonly Opened[]; answers: readonly OpenedAnswer[] }>();
  const current = state?.key === question ? state : { key: question, asked: [], answers: [] };
  const now = useRef(current);
  now.current = current;
  const since = useRef(workspace);
  useEffect(() => {
    if (since.current === workspace) return;
    since.current = workspace;
    const { asked, key } = now.current;
    if (asked.length === 0) return;
    whileBusy(Promise.all(asked.map(answerOf))).then(
      (answers) => setState((before) => (before?.key === key ? { ...before, answers } : before)),
      // What is on screen stays; the next change asks again.
      () => {},
    );
  }, [workspace]);
  const add = async (opened: Opened): Promise<void> => {
    try {
      const answer = await whileBusy(answerOf(opened));
      setState((before) => {
        const base = before?.key === question ? before : { key: question, asked: [], answers: [] };
        return { ...base, asked: [...base.asked, opened], answers: [...base.answers, answer] };
      });
    } catch (error) {
      showError(error);
    }
  };
  return { answers: current.answers, add };
}

async function answerOf({ model, specs, axes }: Opened): Promise<OpenedAnswer> {
  const [now = [], before] = await Promise.all(
    specs.map((spec) => (spec ? readGroup(model, spec, { isQuiet: true }) : null)),
  );
  return { now: { rows: now ?? [], ...axes }, before: before ? { rows: before, ...axes } : null };
}

/** What the workspace brought along answers the question where the person chose nothing else. */
function knownAnswer(arch: Arch, question: GroupSpec, { groupBy, columns, measures }: Analysis): Answer | undefined {
  const { pivot } = arch;
  if (!pivot || JSON.stringify(question.domain) !== JSON.stringify(arch.domain ?? [])) return undefined;
  const names = new Set(pivot.measures.map(({ name }) => name));
  const isSame = String(groupBy) === String(pivot.rowGroups) && String(columns) === String(pivot.columnGroups);
  const hasAll = measures.every(({ name }) => name === '__count' || names.has(name));
  return isSame && hasAll ? { spec: question, rows: pivot.rows } : undefined;
}

function firstLevels({ pivot }: Arch, rows: readonly string[], columns: readonly string[]): Levels {
  const isSame = pivot && String(rows) === String(pivot.rowGroups) && String(columns) === String(pivot.columnGroups);
  return isSame ? pivot.levels : { rows: rows.length, columns: columns.length };
}

function fewer(levels: Levels): Levels {
  return levels.rows > levels.columns
    ? { ...levels, rows: levels.rows - 1 }
    : { ...levels, columns: levels.columns - 1 };
}

function limitOf({ rows, columns }: Levels): number {
  return rows > 1 || columns > 1 ? quickFigures : mostFigures;
}

function cropped({ down, across }: Omit<PivotAnswer, 'rows'>, levels: Levels): Omit<PivotAnswer, 'rows'> {
  return {
    down: { ...down, groups: down.groups.slice(0, levels.rows) },
    across: { ...across, groups: across.groups.slice(0, levels.columns) },
  };
}

/** How many levels of each axis anything is known of. */
function deepest(table: PivotTable | null): Levels {
  const depth = (node: AxisNode): number =>
    Math.max(0, ...(node.children ?? []).map((child) => Math.max(child.path.length, depth(child))));
  return table ? { rows: depth(table.rows), columns: depth(table.columns) } : { rows: 0, columns: 0 };
}

function timesOf(analysis: Analysis) {
  const { field, period, compared } = timeOf(analysis);
  return field && period && compared ? { field, period, before: compared } : null;
}
