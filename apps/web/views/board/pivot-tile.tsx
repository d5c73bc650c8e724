import {
  convertedText,
  type DrawnMeasure,
  drawnDomain,
  groupLabel,
  openRecords,
  t,
  useAnalysis,
} from '../../door/index.ts';
import { changeAt, figureText, nodeLabel } from '../pivot/figure-text.ts';
import type { AxisNode, PivotTable } from '../pivot/pivot-table.ts';
import { usePivot } from '../pivot/use-pivot.ts';
import { Change } from './change.tsx';
import { NothingHere } from './tile-states.tsx';
import { type TileProps, viewProps } from './tile-view.ts';

/** Rows, columns and their totals, with the changes if there is a comparison. */
// Over 60 lines: one table, whose cells need what its head does.
export function PivotTile(props: TileProps) {
  const given = viewProps(props);
  const pivot = given.workspace.arch.pivot ?? { rowGroups: [], columnGroups: [], measures: [] };
  const defaults = { measures: pivot.measures, groupBy: pivot.rowGroups, columns: pivot.columnGroups };
  const analysis = useAnalysis(given, defaults);
  // A tile shows fewer levels than the URL may name.
  const { table, measures, before, currency } = usePivot({ ...analysis, columns: pivot.columnGroups }, false);
  const { arch } = given.workspace;
  const [measure] = measures;
  if (!table || !measure) return null;
  if (!table.rows.row) return <NothingHere />;
  const columns = columnsOf(table, measures);
  const converted = measures.some(({ code }) => code !== null) ? convertedText(analysis, currency) : null;
  const cell = (row: AxisNode, { node: column, measure }: Column) => {
    const text = figureText(arch, { table, row, column }, measure, 'value');
    const figure = table.figure(row, column);
    if (text === '' || !figure) return null;
    const domain = drawnDomain(figure, analysis, measure);
    return (
      <button
        className="accents"
        type="button"
        title={t('Open the records')}
        onClick={() => openRecords(analysis, domain)}
      >
        {text}
        {before && (
          <>
            {' '}
            <Change share={changeAt({ table, row, column }, before, measure)} />
          </>
        )}
      </button>
    );
  };
  const isSeveral = new Set(measures.map(({ of }) => of)).size > 1;
  return (
    <div className="tile-scroll fill scroll">
      <table className="separate full tile-table">
        <caption className="sr-only">{[...new Set(measures.map(({ label }) => label))].join(', ')}</caption>
        <thead>
          <tr>
            <th className="stick at-top surface small mut" scope="col">
              {pivot.columnGroups.length > 0 && !isSeveral
                ? measure.label
                : groupLabel(given.workspace, pivot.rowGroups[0] ?? '')}
            </th>
            {columns.map(({ key, node, measure: own }) => (
              <th key={key} scope="col" className="stick at-top surface small mut num">
                {columnHead(
                  pivot.columnGroups.length === 0 ? null : nodeLabel(arch, pivot.columnGroups, node),
                  own,
                  isSeveral,
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(table).map((row) => (
            <tr key={row.key} className={row.path.length === 0 ? 'is-total' : undefined}>
              <th scope="row" style={{ paddingInlineStart: 12 * Math.max(0, row.path.length - 1) }}>
                {nodeLabel(arch, pivot.rowGroups, row)}
              </th>
              {columns.map((column) => (
                <td key={column.key} className="num">
                  {cell(row, column)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {before && <p className="small mut">{`${t('Difference')}: ${before.days}`}</p>}
      {converted && <p className="small mut">{converted}</p>}
    </div>
  );
}

/** The group, with the measure if there are several, or the currency if the measure has several; without groups, the measure. */
function columnHead(group: string | null, { label, isPart, code }: DrawnMeasure, isSeveral: boolean): string {
  if (group === null) return label;
  if (isSeveral) return `${group}: ${label}`;
  return isPart ? `${group} (${code ?? '–'})` : group;
}

interface Column {
  readonly key: string;
  readonly node: AxisNode;
  readonly measure: DrawnMeasure;
}

/** The column groups and their total, each with a column for each measure. */
function columnsOf({ columns }: PivotTable, measures: readonly DrawnMeasure[]): readonly Column[] {
  return [...(columns.children ?? []), columns].flatMap((node) =>
    measures.map((measure) => ({ key: `${node.key} ${measure.name}`, node, measure })),
  );
}

/** Groups followed by their children, the total last. */
function rowsOf({ rows }: PivotTable): readonly AxisNode[] {
  const below = (node: AxisNode): readonly AxisNode[] => (node.children ?? []).flatMap((one) => [one, ...below(one)]);
  return [...below(rows), rows];
}
