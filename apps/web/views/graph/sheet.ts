import {
  type Analysis,
  codeLabel,
  formatFigure,
  groupLabel,
  openRecords,
  type Sheet,
  type SheetCell,
  type SheetRow,
  t,
} from '../../door/index.ts';
import { isSplitByState } from './graph-choice.ts';
import type { Cell } from './graph-data.ts';
import type { Graph } from './use-graph.ts';

/**
 * The chart as a table: a row per point, a column per series, and the totals from the database. Ends that exclude each other, such as won
 * and lost, have no total together.
 */
export function graphSheet(
  analysis: Analysis,
  { data, choice, codeOf }: Pick<Graph, 'data' | 'choice' | 'codeOf'>,
): Sheet | null {
  const { workspace } = analysis;
  if (!data) return null;
  const { axis, split, measures } = choice;
  const isSeveral = measures.length > 1;
  const hasTotal = !isSeveral && !isSplitByState(workspace.arch, choice);
  const labelled = (label: string, code: string | null) => (code ? `${label} (${codeLabel(analysis, code)})` : label);
  const cell = (from: Cell | null, measure = choice.measure): SheetCell => ({
    value: from?.value ?? null,
    text: formatFigure(workspace.arch, measure, from?.value, codeOf(measure)),
    ...(from ? { open: () => openRecords(analysis, from.domain) } : {}),
  });
  const groups = [axis, ...split].flatMap((group) => (group === null ? [] : [groupLabel(workspace, group)]));
  const label = measures.map((measure) => labelled(measure.label, codeOf(measure))).join(', ');
  const title = `${workspace.arch.title}: ${groups.length > 0 ? t('{measure} by {groups}', { measure: label, groups: groups.join(', ') }) : label}`;
  const names = { names: 1, title };
  const first = { key: 'name', label: groups[0] ?? '' };
  if (axis === null && !isSeveral) {
    const rows = data.series.map(
      ({ key, label, total }): SheetRow => ({ key, cells: [{ value: label }, cell(total)] }),
    );
    const all = hasTotal ? [...rows, totalRow([cell(data.total)])] : rows;
    return { ...names, head: [first, { key: 'total', label }], rows: all };
  }
  const hasParts = split.length > 0 || isSeveral;
  const before = data.points.find((point) => point.before !== null)?.before;
  const hasBefore = hasTotal && before !== undefined && before !== null;
  const rows = data.points.map((point, at): SheetRow => {
    const parts = hasParts ? data.series.map(({ cells, measure }) => cell(cells[at] ?? null, measure)) : [];
    const total = hasTotal ? [cell(point.total)] : [];
    return {
      key: point.key,
      cells: [{ value: point.label }, ...parts, ...total, ...(hasBefore ? [cell(point.before)] : [])],
    };
  });
  const totals = [
    ...(hasParts ? data.series.map(({ total, measure }) => cell(total, measure)) : []),
    ...(hasTotal ? [cell(data.total)] : []),
  ];
  const last = hasBefore ? [...totals, { value: null }] : totals;
  return {
    ...names,
    head: [
      first,
      ...(hasParts
        ? data.series.map(({ key, label: name, measure }) => ({
            key,
            label: isSeveral ? labelled(name, codeOf(measure)) : name,
          }))
        : []),
      ...(hasTotal ? [{ key: 'total', label: hasParts ? t('Total') : label }] : []),
      ...(hasBefore ? [{ key: 'before', label: choice.isDateAxis ? t('Before') : before.label }] : []),
    ],
    // Running totals already end with the grand total.
    rows: choice.isRunning ? rows : [...rows, totalRow(last)],
  };
}

function totalRow(cells: readonly SheetCell[]): SheetRow {
  return { key: 'total', isTotal: true, cells: [{ value: t('Total') }, ...cells] };
}
