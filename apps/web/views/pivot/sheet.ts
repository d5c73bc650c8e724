import {
  type Analysis,
  codeLabel,
  type DrawnMeasure,
  type Figure,
  groupLabel,
  type Sheet,
  type SheetCell,
  type SheetColumn,
  t,
} from '../../door/index.ts';
import { nodeLabel } from './figure-text.ts';
import type { ShownPivot } from './grid-props.ts';
import type { AxisNode } from './pivot-table.ts';

interface SheetOptions {
  readonly analysis: Analysis;
  readonly measures: readonly DrawnMeasure[];
  readonly shown: ShownPivot;
}

/** The table for export: one column per row level, so that a spreadsheet can filter and sort it. */
export function pivotSheet({ analysis, measures, shown }: SheetOptions): Sheet {
  const { workspace, groupBy, columns } = analysis;
  const { arch } = workspace;
  const named = (node: AxisNode, groups: readonly string[], root: AxisNode) =>
    ancestors(root, node).map((each) => nodeLabel(arch, groups, each));
  const levels = groupBy.length > 0 ? groupBy.map((group) => groupLabel(workspace, group)) : [t('Rows')];
  const names = levels.map((label, at): SheetColumn => ({ key: `level ${at}`, label }));
  const leaves = shown.across.columns.flatMap(({ node }) => measures.map((measure) => ({ node, measure })));
  const figures = leaves.map(({ node, measure }): SheetColumn => {
    const path =
      node.path.length > 0 ? named(node, columns, shown.table.columns) : columns.length > 0 ? [t('Total')] : [];
    const unit =
      measure.code && !measure.isPart ? `${measure.label} (${codeLabel(analysis, measure.code)})` : measure.label;
    return { key: `${node.key} ${measure.name}`, label: [...path, unit].join(' / ') };
  });
  const rows = shown.rows.map(({ node, isTotal }) => {
    const path = isTotal ? [t('Total')] : named(node, groupBy, shown.table.rows);
    const head = names.map((_, at): SheetCell => ({ value: path[at] ?? '' }));
    const cells = leaves.map(({ node: column, measure }): SheetCell => {
      const value = shown.table.figure(node, column)?.[measure.name] as Figure;
      return { value: value ?? null };
    });
    return {
      key: isTotal ? 'total' : node.key,
      cells: [...head, ...cells],
      isTotal: isTotal || node.children?.length !== 0,
    };
  });
  const title = [arch.title, measures.map(({ label }) => label).join(', ')].join(', ');
  return { title, head: [...names, ...figures], rows, names: names.length };
}

/** From the outermost group down to the node itself. */
export function ancestors(root: AxisNode, node: AxisNode): readonly AxisNode[] {
  const found: AxisNode[] = [];
  let at: AxisNode | undefined = root;
  while (at && found.length < node.path.length) {
    const depth = found.length;
    at = at.children?.find((child) => child.path[depth] === node.path[depth]);
    if (at) found.push(at);
  }
  return found;
}
