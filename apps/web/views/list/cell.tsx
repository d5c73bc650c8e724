import { fieldType } from '@kontor/protocol';
import { type KeyboardEvent, memo, useId, useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { toClientError } from '../../data/client-error.ts';
import type { RecordValues, Values } from '../../data/rpc.ts';
import { t } from '../../i18n/messages.ts';
import { Popover } from '../../ui/popover.tsx';
import { recordHref } from '../open-record.ts';
import { canEditCell, isHiddenCell, isRequiredCell } from './can-edit.ts';
import type { Column } from './columns.ts';
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

/** As few elements as possible, because scrolling draws hundreds of cells. The table handles clicks. */
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

function cellClass({ align, field }: Column, isFirst: boolean, hasPencil: boolean): string {
  const { isDate, isLong } = fieldType(field.type);
  const isMute = !isFirst && (isDate || isLong || field.relation === 'core.user');
  return `list-cell${align === 'end' ? ' num' : ''}${isMute ? ' mut' : ''}${hasPencil ? ' has-pencil' : ''}`;
}

interface EditCellProps {
  readonly record: RecordValues;
  readonly column: Column;
  readonly row: number;
  readonly at: number;
}

/** A cell under edit. It keeps what is typed until it is saved, also when the row changes meanwhile. */
function EditCell({ record, column, row, at }: EditCellProps) {
  const { workspace, actions } = useList();
  const { field, node, widget, label, name } = column;
  const [draft, setDraft] = useState<{ value: unknown; shown: Values } | null>(null);
  const [problem, setProblem] = useState('');
  const base = useRef(record[name]);
  const cell = useRef<HTMLTableCellElement>(null);
  const isSaving = useRef(false);
  const id = useId();
  const Edit = widget.Edit;
  const current = draft ? { ...record, ...draft.shown, [name]: draft.value } : record;

  const save = async (): Promise<boolean> => {
    if (!draft || Object.is(draft.value, base.current)) return true;
    if (isSaving.current) return false;
    isSaving.current = true;
    try {
      const ids = actions.targets(record.id);
      await saveCell({ workspace, column, record, ids, value: draft.value, shown: draft.shown, base: base.current });
      return true;
    } catch (error) {
      const failure = toClientError(error);
      const conflict = (failure.details.fields as Record<string, { theirs?: unknown }> | undefined)?.[name];
      if (failure.code === 'CONFLICT' && conflict) base.current = conflict.theirs;
      setProblem(
        failure.code === 'CONFLICT'
          ? t('Someone else changed this meanwhile. Save again to keep yours.')
          : (failure.fields[name]?.[0] ?? failure.message),
      );
      return false;
    } finally {
      isSaving.current = false;
    }
  };
  const onKeyDown = async (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      actions.edit(null);
      actions.focus(row, at);
    } else if (event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement && event.shiftKey)) {
      event.preventDefault();
      if (await save()) actions.leaveEdit(row, at);
    } else if (event.key === 'Tab') {
      event.preventDefault();
      const step = event.shiftKey ? -1 : 1;
      if (await save()) actions.editNext({ id: record.id, column: name }, step);
    }
  };
  const onBlur = async (event: React.FocusEvent) => {
    if (event.relatedTarget && cell.current?.contains(event.relatedTarget)) return;
    if (!document.hasFocus()) return;
    if (await save()) actions.edit(null);
  };
  if (!Edit) return null;
  return (
    <td
      ref={cell}
      aria-colindex={at + 2}
      className={`list-cell list-edit ${column.align === 'end' ? 'num' : ''}`}
      onKeyDown={(event) => void onKeyDown(event)}
      onBlur={(event) => void onBlur(event)}
      onClick={(event) => event.stopPropagation()}
    >
      <Edit
        {...{ id, label, field, node }}
        model={workspace.model}
        value={current[name]}
        record={current}
        place="list"
        hasAutoFocus
        isRequired={isRequiredCell(workspace.arch, column, record)}
        isInvalid={problem !== ''}
        describedBy={problem ? `${id}-problem` : undefined}
        domain={node.domain}
        onChange={(value, shown = {}) => {
          setProblem('');
          setDraft((now) => ({ value, shown: { ...now?.shown, ...shown } }));
        }}
      />
      {problem && (
        <Popover anchor={cell} mode="manual" onClose={() => setProblem('')} className="list-problem">
          <p id={`${id}-problem`} role="alert">
            {problem}
          </p>
        </Popover>
      )}
    </td>
  );
}
