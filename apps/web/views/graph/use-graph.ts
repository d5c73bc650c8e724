import { useMemo, useRef } from 'react';
import {
  type Analysis,
  type AnalysisTime,
  type CurrencyChoice,
  type Figures,
  type MeasureArch,
  type MoneyTotal,
  noCurrency,
  otherAmounts,
  useFigures,
} from '../../door/index.ts';
import { graphData } from './build-graph-data.ts';
import type { GraphChoice } from './graph-choice.ts';
import type { Cell, GraphData } from './graph-data.ts';
import { cellOf, leftOver, mainOf, planOf, restQuestions, wholeOf } from './graph-plan.ts';

export interface Graph {
  /** Null until the first answers arrive; then the last data stays until the next arrives. */
  readonly data: GraphData | null;
  /** The choice that `data` was loaded for, which lags behind while a new one loads. */
  readonly choice: GraphChoice;
  readonly currency: CurrencyChoice;
  /** The currency that a measure is shown in. */
  readonly codeOf: (measure: MeasureArch) => string | null;
  /** The totals in the currencies that are not shown. */
  readonly others: readonly MoneyTotal[];
  readonly figures: Figures;
  readonly time: AnalysisTime;
  /** The totals that the change compares: the period up to today, and the same days of the period before. */
  readonly now: Cell | null;
  readonly before: Cell | null;
}

/** Loads all figures of the chart: series, totals, the rest and the comparison period. */
export function useGraph(analysis: Analysis, choice: GraphChoice): Graph {
  const { workspace } = analysis;
  const plan = useMemo(() => planOf(analysis, choice), [analysis, choice]);
  const first = useFigures(workspace, plan.questions, plan.known);
  const shown = first.rows && !first.isStale ? first.rows : null;
  const main = useMemo(() => shown && mainOf(plan, shown), [plan, shown]);
  // A board tile came with all its data. Running totals cannot be subtracted, so their rest is always requested.
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
    const [now, before] = [main.now, main.earlier].map((rows) => cellOf(plan, main.currencyFor, wholeOf(plan, rows)));
    const { currency, currencyFor, codeOf } = main;
    const others = otherAmounts(main.whole, choice.measure, currencyFor(choice.measure));
    const compared = { time: plan.time, now: now ?? null, before: before ?? null };
    last.current = { data: fresh, choice, currency, codeOf, others, ...compared };
  }
  const nothing = { data: null, choice, currency: noCurrency, codeOf: () => null, others: [] };
  return { ...(last.current ?? { ...nothing, time: plan.time, now: null, before: null }), figures };
}
