import { useMemo, useState } from 'react';
import {
  AnalysisFrame,
  GroupPicks,
  isAdditive,
  measureNames,
  NamedIcon,
  pickLook,
  t,
  useAnalysis,
  usePathFields,
  usePlaceState,
  type ViewProps,
} from '../../door/index.ts';
import { PivotGrid } from './grid.tsx';
import type { ShownPivot } from './grid-props.ts';
import {
  type Axis,
  type AxisNode,
  countNodes,
  type PivotTable,
  shownColumns,
  shownRows,
  sorted,
} from './pivot-table.ts';
import { pivotSheet } from './sheet.ts';
import { type PivotOrder, readOrder, type Share, writeOrder } from './state.ts';
import { usePivot } from './use-pivot.ts';
import './styles.css';

/** With more rows, or more figures side by side, groups start collapsed. */
const mostOpenRows = 60;
const mostOpenFigures = 14;
const mostGroups = 6;

// Over 60 lines: most of it is the props of the frame and the grid.
export function PivotView(given: ViewProps) {
  const props = useColumnFields(given);
  const { arch } = props.workspace;
  const own = arch.pivot ?? { rowGroups: [], columnGroups: [], measures: [] };
  const analysis = useAnalysis(props, {
    measures: own.measures,
    groupBy: own.rowGroups,
    columns: own.columnGroups,
  });
  const { groupBy, columns, measures, change } = analysis;
  const pivot = usePivot(analysis, props.isLoading);
  const { currency, analysis: drawn } = pivot;
  const order = readOrder(analysis.option('order'));
  const share = (analysis.option('show') || 'value') as Share;
  const folds = useFolds(`pivot ${arch.key} ${drawn.groupBy} ${drawn.columns}`, pivot.table, pivot.measures.length);
  const [isOpening, setOpening] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order by what it says.
  const shown = useMemo(
    () => pivot.table && shownTable(pivot.table, order, folds),
    [pivot.table, folds, JSON.stringify(order)],
  );
  const toggle = async (axis: Axis, node: AxisNode) => {
    if (node.children === null) {
      setOpening(`${axis} ${node.key}`);
      await pivot.load(axis, node);
      setOpening('');
      folds.set(axis, node, true);
    } else folds.set(axis, node, !folds.isOpen(axis, node));
  };
  const swap = () => change({ groupBy: columns, columns: groupBy, options: { order: writeOrder(swapped(order)) } });
  const setOrder = (next: PivotOrder) => change({ options: { order: writeOrder(next) } });
  const sheet = shown && pivotSheet({ analysis: drawn, measures: pivot.measures, shown });
  const grid = shown && (
    <PivotGrid
      analysis={drawn}
      {...{ shown, order, isOpening, toggle, swap, setOrder }}
      before={pivot.before}
      measures={pivot.measures}
      share={measures.some(isAdditive) ? share : 'value'}
      setShare={(next) => change({ options: { show: next === 'value' ? '' : next } })}
    />
  );
  return (
    <AnalysisFrame
      {...{ analysis, currency, sheet, mostGroups }}
      given={own.measures}
      groupsLabel={t('Rows')}
      choices={
        <>
          <GroupPicks
            analysis={analysis}
            label={t('Columns')}
            groups={columns}
            others={groupBy}
            most={mostGroups}
            onChange={(next) => change({ columns: next })}
          />
          <button type="button" className={`${pickLook} outlined surface pivot-swap`} onClick={swap}>
            <NamedIcon name="arrow-left-right" size={14} className="dim" />
            {t('Swap')}
          </button>
        </>
      }
      isLoading={!shown}
      isStale={pivot.figures.isStale || props.isLoading}
      error={pivot.figures.error}
      onRetry={pivot.figures.retry}
    >
      {pivot.isCut && (
        <p className="warn warned pad-y-1h pad-x-4" role="status">
          {t('There are too many values to show. Filter, or group by fewer fields.')}
        </p>
      )}
      {pivot.before && <p className="small mut pivot-days">{`${t('Difference')}: ${pivot.before.days}`}</p>}
      {grid}
    </AnalysisFrame>
  );
}

/** Columns are only in the URL, so the workspace does not know the fields at the end of their paths. */
function useColumnFields(props: ViewProps): ViewProps {
  const { workspace, search } = props;
  const more = usePathFields(workspace.arch.fields, measureNames(search.extra.columns));
  return useMemo(() => {
    if (more.length === 0) return props;
    const arch = { ...workspace.arch, fields: [...workspace.arch.fields, ...more] };
    return { ...props, workspace: { ...workspace, arch } };
  }, [props, workspace, more]);
}

function swapped({ rows, columns }: PivotOrder): PivotOrder {
  return { rows: columns, columns: rows };
}

function shownTable(table: PivotTable, order: PivotOrder, folds: Folds): ShownPivot {
  const by = (axis: Axis) => (node: AxisNode) => {
    const key = order[axis];
    if (!key) return null;
    const other = { key: key.path } as AxisNode;
    return (axis === 'rows' ? table.figure(node, other) : table.figure(other, node))?.[key.measure];
  };
  const rows = order.rows ? sorted(table.rows, by('rows'), order.rows.isDescending) : table.rows;
  const columns = order.columns ? sorted(table.columns, by('columns'), order.columns.isDescending) : table.columns;
  return {
    table,
    rows: shownRows(rows, (node) => folds.isOpen('rows', node)),
    across: shownColumns(columns, (node) => folds.isOpen('columns', node)),
  };
}

interface Folds {
  isOpen(axis: Axis, node: AxisNode): boolean;
  set(axis: Axis, node: AxisNode, isOpen: boolean): void;
}

/** Which groups are open: as the user left them, otherwise all of a small table and the outermost of a large one. */
function useFolds(place: string, table: PivotTable | null, measures: number): Folds {
  const [chosen, setChosen] = usePlaceState<Readonly<Record<string, boolean>>>(place, {});
  return useMemo(() => {
    const usual = {
      rows: table !== null && countNodes(table.rows) <= mostOpenRows,
      columns: table !== null && countNodes(table.columns) * measures <= mostOpenFigures,
    };
    return {
      isOpen: (axis, node) => node.children !== null && (chosen[`${axis} ${node.key}`] ?? usual[axis]),
      set: (axis, node, isOpen) => setChosen({ ...chosen, [`${axis} ${node.key}`]: isOpen }),
    };
  }, [chosen, setChosen, table, measures]);
}
