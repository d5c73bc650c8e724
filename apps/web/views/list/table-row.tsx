import { tn } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { GroupRow } from './group-row.tsx';
import { useList } from './list-context.ts';
import { RecordRow } from './row.tsx';
import type { Row } from './rows.ts';
import type { ActiveCell } from './use-active-cell.ts';
import type { Selection } from './use-selection.ts';
import { WaitRow } from './wait-row.tsx';

interface TableRowProps {
  readonly row: Row;
  readonly index: number;
  readonly selection: Selection;
  readonly editing: { readonly id: number; readonly column: string } | null;
  readonly active: ActiveCell;
}

export function TableRow({ row, index, selection, editing, active }: TableRowProps) {
  const activeColumn = active.cell.row === index ? active.cell.column : -1;
  if (row.kind === 'wait') return <WaitRow row={index} />;
  if (row.kind === 'more') return <MoreRow path={row.path} left={row.left} row={index} isActive={activeColumn >= 0} />;
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
      editing={editing?.id === row.id ? editing.column : null}
    />
  );
}

interface MoreRowProps {
  readonly path: string;
  readonly left: number;
  readonly row: number;
  readonly isActive: boolean;
}

function MoreRow({ path, left, row, isActive }: MoreRowProps) {
  const { columns, actions } = useList();
  return (
    <tr aria-rowindex={row + 2} data-row={row} className="list-row">
      <td />
      <td colSpan={columns.length + 1} className="list-cell">
        <Button kind="bare" data-col={0} tabIndex={isActive ? 0 : -1} onClick={() => actions.loadMore(path)}>
          {tn('{n} more', '{n} more', left)}
        </Button>
      </td>
    </tr>
  );
}
