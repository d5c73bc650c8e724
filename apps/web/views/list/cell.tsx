import { memo } from 'react';
import { showError } from '../../data/changes.ts';
import type { RecordValues } from '../../data/rpc.ts';
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

/** As few elements as can be: hundreds of these come and go with every turn of the wheel. Clicks are the table's. */
export const Cell = memo(function Cell({ record, column, row, at, isActive, isEditing }: CellProps) {
  const { workspace, search } = useList();
  const { arch } = workspace;
  const isEditable = canEditCell(arch, column, record);
  if (isEditing && isEditable) return <EditCell record={record} column={column} row={row} at={at} />;
  const isFirst = at === 0;
  const isDirect = column.widget.isDirect === true && isEditable;
  return (
    <td
      aria-colindex={at + 2}
      data-col={at}
      tabIndex={isActive ? 0 : -1}
      className={cellClass(column, isFirst, isEditable && !isDirect)}
    >
      {isHiddenCell(arch, column, record) ? null : isFirst ? (
        <a href={recordHref(search, workspace, record.id)} tabIndex={-1} className="list-link">
          <Content record={record} column={column} />
        </a>
      ) : isDirect ? (
        <DirectEdit record={record} column={column} />
      ) : (
        <Content record={record} column={column} />
      )}
    </td>
  );
});

function Content({ record, column }: { readonly record: RecordValues; readonly column: Column }) {
  const { workspace } = useList();
  const { field, node, widget } = column;
  const value = record[field.name];
  if (value === undefined) return <span className="list-wait" />;
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
    <span data-direct>
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

function cellClass({ align, field }: Column, isFirst: boolean, hasPencil: boolean): string {
  const isMute = !isFirst && (quiet.has(field.type) || field.relation === 'core.user');
  return `list-cell${align === 'end' ? ' num' : ''}${isMute ? ' mut' : ''}${hasPencil ? ' has-pencil' : ''}`;
}
