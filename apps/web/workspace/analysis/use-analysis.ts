import { type Comparison, type MeasureArch, measureNames, type WorkspacePayload } from '@kontor/protocol';
import { useMemo } from 'react';
import { navigate } from '../../navigation/router.ts';
import { effectiveSearch } from '../../search/effective-search.ts';
import { refine, type SearchState, toHref } from '../../search/search-state.ts';
import type { ViewProps } from '../define-view.ts';
import { countMeasure, measureNamed, missingMeasure, viewMeasures } from './measures.ts';

/**
 * What graph, pivot and cohort share. A view is made of these, in this order:
 *
 * - `useAnalysis` (here): what is measured and by what, from the address; `change` puts a choice back into it. Saved searches
 *   keep it. Other views find the same search, measure and groups there.
 * - `useFigures` (use-figures.ts): asks `read_group` for any number of questions and keeps the answers fresh: it asks again
 *   whenever the workspace was loaded anew, which happens within a second of any change of its records.
 * - `currencyOf`, `figureOf`, `domainOf` (currency.ts): the currencies that amounts are in, the figure of a row in the chosen
 *   one, and the records behind it. Ask every question with `money: true`: then no figure adds up two of them.
 * - `timeOf` (comparison.ts): the period looked at, and the one that it is compared with.
 * - `AnalysisFrame` (frame.tsx): the bars, the choices, downloads, and what is shown while loading, empty or failed.
 * - `openRecords` (open-records.ts): the list behind a figure; give it the `__domain` of its row.
 * - `FigureTable` (figure-table.tsx): figures as a table. The same table is downloaded as CSV and XLSX.
 * - `formatFigure` (format-figure.ts): a figure in the person's notation, with its currency.
 */
export interface Analysis {
  readonly workspace: WorkspacePayload;
  /** The one in effect. */
  readonly search: SearchState;
  /** Never empty. */
  readonly measures: readonly MeasureArch[];
  /** Names of those among them that are not there for the reader: they are asked for all the same, and the screen says why it shows nothing. */
  readonly missing: readonly string[];
  /** `field` or `field:granularity`: the axis of a graph and what splits it, the rows of a pivot. */
  readonly groupBy: readonly string[];
  /** Columns of a pivot. */
  readonly columns: readonly string[];
  readonly compare: Comparison | null;
  /** What else the address says of the view; `''` when nothing. The names are the `viewKeys` of search-state.ts. */
  option(name: string): string;
  change(change: AnalysisChange): void;
}

export interface AnalysisChange {
  readonly measures?: readonly string[];
  readonly groupBy?: readonly string[];
  readonly columns?: readonly string[];
  readonly compare?: Comparison | null;
  readonly domain?: SearchState['domain'];
  /** An empty text takes an option away. */
  readonly options?: Readonly<Record<string, string>>;
}

/** What the view's arch says, where the address says nothing. */
interface AnalysisDefaults {
  readonly measures: readonly MeasureArch[];
  readonly groupBy: readonly string[];
  readonly columns?: readonly string[];
}

/** The measures and groups that a person chose for a view of figures, and ways to change them. */
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
  // No columns at all is a choice as well.
  if (columns) extra.columns = columns.join(',') || '-';
  if (compare !== undefined) extra.compare = compare ?? '';
  const wanted = refine(now, { extra, ...(groupBy ? { groupBy } : {}), ...(domain ? { domain } : {}) });
  void navigate(toHref(wanted), { keepTrail: true });
}
