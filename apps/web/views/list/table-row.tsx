import { type CSSProperties, memo } from 'react';
import {
  type Arch,
  formatInteger,
  type GroupRow as GroupData,
  holds,
  Icon,
  type Money,
  type RecordValues,
  t,
  useRecord,
  useRecordParts,
} from '../../door/index.ts';
import type { Column } from '../table/columns.ts';
import { canReorder } from './can-edit.ts';
import { Cell } from './cell.tsx';
import { totalText } from './footer.tsx';
import { groupName } from './group-rows.ts';
import { type EditedCell, useList, useRows } from './list-context.ts';
import type { Row } from './rows.ts';
import type { ActiveCell } from './use-active-cell.ts';
import type { Selection } from './use-selection.ts';

interface TableRowProps {
  readonly row: Row;
  readonly index: number;
  /** The number of rows that are not loaded yet. */
  readonly count: number;
  readonly selection: Selection;
  readonly editing: EditedCell | null;
  readonly active: ActiveCell;
  /** The row that is being dragged. */
  readonly lifted: number | null;
}

export function TableRow({ row, index, count, selection, editing, active, lifted }: TableRowProps) {
  const activeColumn = active.cell.row === index ? active.cell.column : -1;
  if (row.kind === 'wait') return <WaitRow row={index} count={count} />;
  if (row.kind === 'group') {
    const { groupBy, depth, isOpen, money } = row;
    return <GroupRow {...{ groupBy, depth, isOpen, money }} group={row.row} row={index} isActive={activeColumn >= 0} />;
  }
  return (
    <RecordRow
      id={row.id}
      row={index}
      isSelected={selection.ids.has(row.id)}
      active={activeColumn}
      editing={editing?.id === row.id ? editing : null}
      isLifted={lifted === row.id}
    />
  );
}

interface RecordRowProps {
  readonly id: number;
  readonly row: number;
  readonly isSelected: boolean;
  /** The focused column; -1 if the focus is elsewhere. */
  readonly active: number;
  readonly editing: EditedCell | null;
  readonly isLifted: boolean;
}

const RecordRow = memo(function RecordRow({ id, row, isSelected, active, editing, isLifted }: RecordRowProps) {
  const { workspace, columns, actions } = useRows();
  const record = useRecord(workspace.model, id);
  const recordFor = useRecordParts();
  if (!record) return <WaitRow row={row} count={1} />;
  const name = String(record.display_name ?? record.name ?? id);
  const hasHandle = canReorder(workspace);
  return (
    <tr
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      data-row={row}
      data-drag-item={hasHandle && editing === null ? id : undefined}
      className={`list-row ${isSelected ? 'is-selected' : ''} ${isLifted ? 'is-lifted' : ''} ${looksOf(workspace.arch, record)}`}
    >
      <td aria-colindex={1} className="list-check">
        {hasHandle && (
          <button
            type="button"
            className="dim high-24 list-handle focus-in"
            data-drag-handle
            tabIndex={active >= 0 || isLifted ? 0 : -1}
            aria-label={t('Move {name}', { name })}
          >
            <Icon name="grip-vertical" size={14} />
          </button>
        )}
        <input
          type="checkbox"
          className="box"
          aria-label={t('Select {name}', { name })}
          checked={isSelected}
          tabIndex={-1}
          onChange={(event) => actions.select(id, (event.nativeEvent as MouseEvent).shiftKey === true)}
        />
      </td>
      {columns.map((column, at) => (
        <Cell
          key={column.name}
          record={recordFor(record, column.name)}
          column={column}
          row={row}
          at={at}
          isActive={active === at}
          editing={editing?.column === column.name ? editing : null}
        />
      ))}
      <td aria-colindex={columns.length + 2} className="list-end">
        <button
          type="button"
          className="icon-btn list-more"
          data-menu
          tabIndex={-1}
          aria-haspopup="menu"
          aria-label={t('Actions for {name}', { name })}
        />
      </td>
    </tr>
  );
});

function looksOf({ list, fields }: Arch, record: RecordValues): string {
  const looks = list?.decorations?.filter(({ when }) => holds(when, record, fields)) ?? [];
  return looks.map(({ look }) => `tone-${look}`).join(' ');
}

interface GroupRowProps {
  readonly groupBy: string;
  readonly group: GroupData;
  readonly depth: number;
  readonly row: number;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly money?: Money | undefined;
}

/** A group with its count and subtotals. The name spans the columns before the first subtotal. */
const GroupRow = memo(function GroupRow({ groupBy, group, depth, row, isOpen, isActive, money }: GroupRowProps) {
  const { workspace, columns } = useList();
  const { arch } = workspace;
  const span = Math.max(1, firstSum(columns, group));
  return (
    <tr aria-rowindex={row + 2} aria-expanded={isOpen} aria-level={depth + 1} data-row={row} className="list-group">
      <td aria-colindex={1} />
      <td
        aria-colindex={2}
        data-col={0}
        colSpan={span}
        tabIndex={isActive ? 0 : -1}
        className="list-cell"
        style={{ '--depth': depth } as CSSProperties}
      >
        <Icon name="chevron-right" size={14} className={`dim list-chevron ${isOpen ? 'is-open' : ''}`} />
        {groupName(arch, groupBy, group)}
        <span className="regular list-count dim digits">
          <span className="sr-only">{t('Records')}: </span>
          {formatInteger(Number(group.__count))}
        </span>
      </td>
      {columns.slice(span).map((column, at) => (
        <TotalCell
          key={column.name}
          at={span + at}
          text={totalText(workspace, column, group[column.name], group.__money ?? money)}
        />
      ))}
      <td aria-colindex={columns.length + 2} />
    </tr>
  );
});

function TotalCell({ at, text }: { readonly at: number; readonly text: string }) {
  return (
    <td aria-colindex={at + 2} className="list-cell num list-total" title={text}>
      <span className="line end">{text}</span>
    </td>
  );
}

function firstSum(columns: readonly Column[], group: GroupData): number {
  const at = columns.findIndex(({ node, name }) => (node.sum ?? node.avg) !== undefined && name in group);
  return at < 0 ? columns.length : at;
}

/**
 * Rows that are not loaded yet: one cell for all of them, without animation, because dozens may be visible while
 * scrolling.
 */
const WaitRow = memo(function WaitRow({ row, count }: { readonly row: number; readonly count: number }) {
  const { columns } = useRows();
  return (
    <tr aria-rowindex={row + 2} aria-busy="true" data-row={row}>
      <td colSpan={columns.length + 2} className="list-waits" style={{ height: `calc(${count} * var(--row))` }} />
    </tr>
  );
});
