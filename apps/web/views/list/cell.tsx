import { memo } from 'react';
import { showError } from '../../data/changes.ts';
import type { RecordValues } from '../../data/rpc.ts';
import { t } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { Skeleton } from '../../ui/parts.tsx';
import { recordHref } from '../open-record.ts';
import { canEditCell, isHiddenCell } from './can-edit.ts';
import type { Column } from './columns.ts';
import { EditCell } from './edit-cell.tsx';
import { useList } from './list-context.ts';
import { saveCell } from './save-cell.ts';

interface CellProps {
  readonly record: RecordValues;
  readonly column: Column;
  readonly row: number;
  readonly at: number;
  readonly isActive: boolean;
  readonly isEditing: boolean;
}

export const Cell = memo(function Cell({ record, column, row, at, isActive, isEditing }: CellProps) {
  const { workspace, search, actions, hasSelection } = useList();
  const { arch } = workspace;
  const isEditable = canEditCell(arch, column, record);
  const isFirst = at === 0;
  if (isEditing && isEditable) return <EditCell record={record} column={column} row={row} at={at} />;
  const startEdit = () => actions.edit({ id: record.id, column: column.name });
  return (
    <td
      aria-colindex={at + 2}
      data-col={at}
      tabIndex={isActive ? 0 : -1}
      className={cellClass(column, isFirst)}
      onClick={(event) => {
        if (!isEditable || isFirst || !(arch.list?.editable || hasSelection)) return;
        event.stopPropagation();
        startEdit();
      }}
    >
      {isHiddenCell(arch, column, record) ? null : isFirst ? (
        <a href={recordHref(search, workspace, record.id)} tabIndex={-1} className="list-link">
          <Content record={record} column={column} />
        </a>
      ) : column.widget.isDirect && isEditable ? (
        <DirectEdit record={record} column={column} />
      ) : (
        <Content record={record} column={column} />
      )}
      {isEditable && !column.widget.isDirect && (
        <button
          type="button"
          className="list-pencil"
          tabIndex={-1}
          aria-label={t('Edit {label}', { label: column.label })}
          onClick={(event) => {
            event.stopPropagation();
            event.preventDefault();
            startEdit();
          }}
        >
          <Icon name="pencil" size={12} />
        </button>
      )}
    </td>
  );
});

function Content({ record, column }: { readonly record: RecordValues; readonly column: Column }) {
  const { workspace } = useList();
  const { field, node, widget } = column;
  const value = record[field.name];
  if (value === undefined) return <Skeleton width="60%" />;
  return <widget.Read field={field} node={node} model={workspace.model} value={value} record={record} place="list" />;
}

/** Stars, toggles: a click is the whole edit. */
function DirectEdit({ record, column }: { readonly record: RecordValues; readonly column: Column }) {
  const { workspace, actions } = useList();
  const { field, node, widget, label } = column;
  const value = record[field.name];
  const Edit = widget.Edit;
  if (!Edit) return null;
  return (
    <span onClick={(event) => event.stopPropagation()}>
      <Edit
        {...{ field, node, value, record, label }}
        model={workspace.model}
        place="list"
        id={`list-${record.id}-${field.name}`}
        isRequired={false}
        isInvalid={false}
        onChange={(next, shown = {}) => {
          const ids = actions.targets(record.id);
          saveCell({ workspace, column, record, ids, value: next, shown, base: value }).catch(showError);
        }}
      />
    </span>
  );
}

const quiet: ReadonlySet<string> = new Set(['date', 'datetime', 'text']);

function cellClass({ align, field }: Column, isFirst: boolean): string {
  const isMute = !isFirst && (quiet.has(field.type) || field.relation === 'core.user');
  return `list-cell ${align === 'end' ? 'num' : ''} ${isMute ? 'mut' : ''}`;
}
