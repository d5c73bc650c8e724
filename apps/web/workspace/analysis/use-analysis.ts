import { type Comparison, type MeasureArch, measureNames, type WorkspacePayload } from '@kontor/protocol';
import { useMemo } from 'react';
import { navigate } from '../../navigation/router.ts';
import { effectiveSearch } from '../../search/effective-search.ts';
import { refine, type SearchState, toHref } from '../../search/search-state.ts';
import type { ViewProps } from '../define-view.ts';
import { countMeasure, measureNamed, missingMeasure, viewMeasures } from './measures.ts';

/**
 * Shared by graph, pivot and cohort. A view uses these, in this order:
 *
 * - `useAnalysis` (here): the measures and groups in the URL; `change` writes a choice back. Saved searches keep them, and the
 *   other views read the same search, measure and groups.
 * - `useFigures` (use-figures.ts): sends any number of questions to `read_group` and keeps the answers fresh: it asks again
 *   whenever the workspace is reloaded, which happens within a second of any change of its records.
 * - `currencyOf`, `figureOf`, `domainOf` (currency.ts): the currencies of amounts, the figure of a row in the chosen currency,
 *   and the records behind it. Ask every question with `money: moneyOfQuestions(analysis)`, so that no figure
 *   adds two currencies unless the user chose to convert them.
 * - `timeOf` (comparison.ts): the selected period, and the one it is compared with.
 * - `AnalysisFrame` (frame.tsx): toolbars, options, downloads, and the loading, empty and error states.
 * - `openRecords` (open-records.ts): the list behind a figure; pass the `__domain` of its row.
 * - `FigureTable` (figure-table.tsx): figures as a table. The same table is downloaded as CSV and XLSX.
 * - `formatFigure` (format-figure.ts): a figure in the user's number format, with its currency.
 */
export interface Analysis {
  readonly workspace: WorkspacePayload;
  /** The effective search. */
  readonly search: SearchState;
  /** Never empty. */
  readonly measures: readonly MeasureArch[];
  /**
   * Names of measures that are not available to the user: they are requested anyway, and the screen shows why there is
   * no data.
   */
  readonly missing: readonly string[];
  /** `field` or `field:granularity`: the axis and split of a graph, the rows of a pivot. */
  readonly groupBy: readonly string[];
  /** The columns of a pivot. */
  readonly columns: readonly string[];
  readonly compare: Comparison | null;
  /** Other view options in the URL; `''` by default. The names are the `viewKeys` of search-state.ts. */
  option(name: string): string;
  change(change: AnalysisChange): void;
}

export interface AnalysisChange {
  readonly measures?: readonly string[];
  readonly groupBy?: readonly string[];
  readonly columns?: readonly string[];
  readonly compare?: Comparison | null;
  readonly domain?: SearchState['domain'];
  /** An empty string removes an option. */
  readonly options?: Readonly<Record<string, string>>;
}

/** The values of the view's arch, used if the URL has none. */
interface AnalysisDefaults {
  readonly measures: readonly MeasureArch[];
  readonly groupBy: readonly string[];
  readonly columns?: readonly string[];
}

/** The measures and groups chosen for an analytic view, and functions to change them. */
export function useAnalysis({ workspace, search }: ViewProps, defaults: AnalysisDefaults): Analysis {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the defaults are part of the workspace.
  return useMemo(() => {
    const now = effectiveSearch(workspace, search);
    const option = (name: string) => now.extra[name] ?? '';
    const given = viewMeasures(defaults.measures);
    const columns = now.extra.columns;
    const wanted = measureNames(option('measure'));
    const missing = wanted.filter((name) => !measureNamed(workspace.arch, given, name));
    const chosen = wanted.map((name) => measureNamed(workspace.arch, given, name) ?? missingMeasure(name));
    const compare = option('compare');
    return {
      workspace,
      search: now,
      measures: chosen.length > 0 ? chosen : given.length > 0 ? given : [countMeasure()],
      missing,
      groupBy: defaults.groupBy,
      columns: columns === undefined ? (defaults.columns ?? []) : columns === '-' ? [] : measureNames(columns),
      compare: compare === 'previous' || compare === 'year' ? compare : null,
      option,
      change: (change) => goTo(now, change),
    };
  }, [workspace, search]);
}

function goTo(now: SearchState, { measures, groupBy, columns, compare, domain, options = {} }: AnalysisChange): void {
  const extra: Record<string, string> = { ...now.extra, ...options };
  if (measures) extra.measure = measures.join(',');
  // An explicit choice of no columns.
  if (columns) extra.columns = columns.join(',') || '-';
  if (compare !== undefined) extra.compare = compare ?? '';
  const wanted = refine(now, { extra, ...(groupBy ? { groupBy } : {}), ...(domain ? { domain } : {}) });
  void navigate(toHref(wanted), { keepTrail: true });
}
