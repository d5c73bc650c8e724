import { memo } from 'react';
import { holds } from '../../data/condition.ts';
import { useRecord } from '../../data/records.ts';
import { t } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { canReorder } from './can-reorder.ts';
import { Cell } from './cell.tsx';
import { DragHandle } from './drag-handle.tsx';
import { useList } from './list-context.ts';
import { WaitRow } from './wait-row.tsx';

interface RecordRowProps {
  readonly id: number;
  readonly row: number;
  readonly isSelected: boolean;
  /** Column with the focus; -1 when it is elsewhere. */
  readonly active: number;
  readonly editing: string | null;
}

export const RecordRow = memo(function RecordRow({ id, row, isSelected, active, editing }: RecordRowProps) {
  const { workspace, columns, actions } = useList();
  const { model, arch } = workspace;
  const record = useRecord(model, id);
  if (!record) return <WaitRow row={row} />;
  const looks = arch.list?.decorations?.filter(({ when }) => holds(when, record, arch.fields)) ?? [];
  const name = String(record.display_name ?? record.name ?? id);
  return (
    <tr
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      data-row={row}
      className={`list-row ${isSelected ? 'is-selected' : ''} ${looks.map(({ look }) => `list-look-${look}`).join(' ')}`}
    >
      <td aria-colindex={1} className="list-check">
        {canReorder(workspace) && <DragHandle id={id} name={name} />}
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
          record={record}
          column={column}
          row={row}
          at={at}
          isActive={active === at}
          isEditing={editing === column.name}
        />
      ))}
      <td aria-colindex={columns.length + 2} className="list-end">
        <button
          type="button"
          className="icon-btn"
          data-menu
          tabIndex={-1}
          aria-haspopup="menu"
          aria-label={t('Actions for {name}', { name })}
        >
          <Icon name="ellipsis" />
        </button>
      </td>
    </tr>
  );
});
