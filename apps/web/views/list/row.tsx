import { memo } from 'react';
import { holds } from '../../data/condition.ts';
import { useRecord } from '../../data/records.ts';
import { t } from '../../i18n/messages.ts';
import { Checkbox } from '../../ui/parts.tsx';
import { Cell } from './cell.tsx';
import { DragHandle } from './drag-handle.tsx';
import { useList } from './list-context.ts';
import { RowMenu } from './row-menu.tsx';
import { WaitRow } from './wait-row.tsx';

interface RecordRowProps {
  readonly id: number;
  readonly row: number;
  readonly depth: number;
  readonly isSelected: boolean;
  /** Column with the focus; -1 when it is elsewhere. */
  readonly active: number;
  readonly editing: string | null;
}

export const RecordRow = memo(function RecordRow({ id, row, depth, isSelected, active, editing }: RecordRowProps) {
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
      onClick={(event) => {
        if (event.defaultPrevented || (event.target as Element).closest('a,button,input')) return;
        if (event.ctrlKey || event.metaKey || event.shiftKey) return actions.select(id, event.shiftKey);
        if (window.getSelection()?.toString()) return;
        actions.open(id);
      }}
      onPointerEnter={() => actions.prefetch(id)}
    >
      <td aria-colindex={1} className="list-check" onClick={(event) => event.stopPropagation()}>
        {arch.list?.handle && <DragHandle id={id} name={name} />}
        <Checkbox
          label={t('Select {name}', { name })}
          isChecked={isSelected}
          tabIndex={-1}
          onChange={(_on, event) => actions.select(id, (event.nativeEvent as MouseEvent).shiftKey === true)}
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
      <td aria-colindex={columns.length + 2} className="list-end" data-depth={depth}>
        <RowMenu id={id} name={name} />
      </td>
    </tr>
  );
});
