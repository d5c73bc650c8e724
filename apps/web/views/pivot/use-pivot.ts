import { useEffect, useMemo, useRef, useState } from 'react';
import {
  type Analysis,
  type Answer,
  type Arch,
  askedMeasures,
  type CurrencyChoice,
  changeQuestions,
  comparedText,
  type DrawnMeasure,
  drawnMeasures,
  drawnRow,
  type Figures,
  type GroupRow,
  type GroupSpec,
  moneyOfQuestions,
  mostFigures,
  noCurrency,
  pivotLevels,
  pivotQuestion,
  quickFigures,
  readGroup,
  showError,
  tableCurrency,
  timeOf,
  useFigures,
  whileBusy,
} from '../../door/index.ts';
import type { ComparedTables } from './figure-text.ts';
import { movedRow } from './moved-row.ts';
import { type Axis, type AxisNode, type PivotAnswer, type PivotTable, pivotTable } from './pivot-table.ts';

interface Levels {
  readonly rows: number;
  readonly columns: number;
}

export interface Pivot {
  /** Null until loaded; then the last table stays until the next arrives. */
  readonly table: PivotTable | null;
  /** The analysis that the table was loaded for, which lags behind while a new one loads. */
  readonly analysis: Analysis;
  /** Its measures; one with several currencies is split by currency. */
  readonly measures: readonly DrawnMeasure[];
  /** The tables that changes compare; null without a comparison. */
  readonly before: ComparedTables | null;
  readonly figures: Figures;
  /** The currencies that amounts are shown in. */
  readonly currency: CurrencyChoice;
  /** Not all figures are shown. */
  readonly isCut: boolean;
  /** Loads the children of a group, in one call. */
  load(axis: Axis, node: AxisNode): Promise<void>;
}

/** The figures of both axes: those that came with the workspace, those requested, and levels that were expanded. */
// Over 60 lines: each step needs the questions and answers of the steps before.
export function usePivot(analysis: Analysis, isWaiting: boolean): Pivot {
  const { workspace, groupBy, measures, compare } = analysis;
  const columns = analysis.columns.filter((group) => !groupBy.includes(group));
  const { arch, model } = workspace;
  const groupsKey = JSON.stringify([groupBy, columns]);
  const [cut, setCut] = useState<{ readonly key: string; readonly levels: Levels } | null>(null);
  const levels = cut?.key === groupsKey ? cut.levels : firstLevels(arch, groupBy, columns);
  const domain = arch.domain ?? [];
  const times = useMemo(() => timeOf(analysis), [analysis]);
  const fields = askedMeasures(measures);
  const money = moneyOfQuestions(analysis);
  const ask = (within: GroupSpec['domain']): GroupSpec =>
    pivotQuestion(within, groupBy.slice(0, levels.rows), columns.slice(0, levels.columns), fields, money);
  const question = ask(domain);
  const compared = changeQuestions(ask, domain, times);
  const known = knownAnswer(arch, question, { ...analysis, columns });
  // Rows come with the workspace and columns with the URL: until both are known there is nothing to ask.
  const figures = useFigures(workspace, isWaiting ? [] : [question, compared.before, compared.now], known);
  const key = JSON.stringify([question, compare]);
  const [own, earlier, soFar] = figures.isStale ? [] : (figures.rows ?? []);
  const isTooMuch = own !== undefined && own.length >= limitOf(levels) && limitOf(levels) === quickFigures;
  useEffect(() => {
    if (isTooMuch) setCut({ key: groupsKey, levels: fewer(levels) });
  });
  const opened = useOpened(analysis, key);
  const loaded = own && !isTooMuch ? own : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: groups and measures are those of the analysis, levels by their numbers.
  const fresh = useMemo(() => {
    if (!loaded) return null;
    const whole = loaded.find((row) => [...groupBy, ...columns].every((group) => !Object.hasOwn(row, group)));
    const drawn = drawnMeasures(analysis, whole);
    const told = (row: GroupRow) => drawnRow(row, drawn);
    const axes = { down: { path: [], groups: groupBy }, across: { path: [], groups: columns } };
    const main = cropped(axes, levels);
    const { period, sameDays } = times;
    const move = (row: GroupRow) => told(period && sameDays ? movedRow(row, sameDays, period) : row);
    const tableOf = (rows: readonly GroupRow[], of: 'now' | 'before' | 'soFar', tell = told) =>
      pivotTable([
        { rows: rows.map(tell), ...main },
        ...opened.answers.flatMap((answers) => {
          const one = answers[of];
          return one ? [{ ...one, rows: one.rows.map(tell) }] : [];
        }),
      ]);
    const table = tableOf(loaded, 'now');
    const isCompared = sameDays !== null && earlier !== undefined;
    return {
      currency: tableCurrency(analysis, whole),
      measures: drawn,
      analysis: { ...analysis, columns },
      table,
      before: isCompared
        ? {
            now: times.soFar ? tableOf(soFar ?? [], 'soFar') : table,
            before: tableOf(earlier, 'before', move),
            days: comparedText(analysis.compare, sameDays),
          }
        : null,
    };
  }, [loaded, earlier, soFar, times, opened.answers, analysis, levels.rows, levels.columns]);
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
      money,
      subtotals: pivotLevels([], other).map((set) => (axis === 'rows' ? [next, ...set] : [...set, next])),
      limit: mostFigures,
    };
    const changes = changeQuestions((days) => ({ ...spec, domain: days }), within, times);
    const specs = [spec, changes.before, changes.now];
    const axes = {
      rows: { down: { path: node.path, groups: [next] }, across: { path: [], groups: other } },
      columns: { down: { path: [], groups: other }, across: { path: node.path, groups: [next] } },
    }[axis];
    await opened.add({ key: `${axis} ${node.key}`, model, specs, axes });
  };
  const isCut = loaded !== null && loaded.length >= mostFigures;
  return {
    table: null,
    before: null,
    currency: noCurrency,
    measures: [],
    analysis,
    ...last.current,
    figures,
    isCut,
    load,
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
  readonly soFar: PivotAnswer | null;
}

/** Levels that were expanded one by one. Another question discards them; newer data loads them again. */
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
      // The table on screen stays; the next change asks again.
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
  const [now, before, soFar] = await Promise.all(
    specs.map((spec) => (spec ? readGroup(model, spec, { isQuiet: true }) : null)),
  );
  const answer = (rows: readonly GroupRow[] | null | undefined) => (rows ? { rows, ...axes } : null);
  return { now: { rows: now ?? [], ...axes }, before: answer(before), soFar: answer(soFar) };
}

/** The answer that came with the workspace, if the user chose nothing else. */
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

/** How many levels of each axis are known. */
function deepest(table: PivotTable | null): Levels {
  const depth = (node: AxisNode): number =>
    Math.max(0, ...(node.children ?? []).map((child) => Math.max(child.path.length, depth(child))));
  return table ? { rows: depth(table.rows), columns: depth(table.columns) } : { rows: 0, columns: 0 };
}
