import {
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react';
import {
  fieldType,
  type RecordValues,
  recordHref,
  showError,
  t,
  toClientError,
  type Values,
} from '../../door/index.ts';
import { CellControl, CellProblem } from '../table/cell-control.tsx';
import type { Column } from '../table/columns.ts';
import { canEditCell, isHiddenCell, isRequiredCell } from './can-edit.ts';
import { type EditedCell, useRows } from './list-context.ts';
import { cellProblem, saveCell } from './save-cell.ts';
import type { CellChange } from './save-in-all.ts';

interface CellProps {
  readonly record: RecordValues;
  readonly column: Column;
  readonly row: number;
  readonly at: number;
  readonly isActive: boolean;
  /** Null: the cell is not being edited. */
  readonly editing: EditedCell | null;
}

/** As few elements as possible, because scrolling renders hundreds of cells. The table handles clicks. */
export const Cell = memo(function Cell({ record, column, row, at, isActive, editing }: CellProps) {
  const { workspace, search } = useRows();
  const { arch } = workspace;
  const isEditable = canEditCell(arch, column, record);
  if (editing && isEditable) return <EditCell key={record.id} {...{ record, column, row, at, editing }} />;
  const isMain = column.isMain === true;
  const isDirect = column.widget.isDirect === true && isEditable;
  const content = () => contentOf(workspace.model, record, column);
  return (
    <td
      aria-colindex={at + 2}
      data-col={at}
      tabIndex={isActive ? 0 : -1}
      className={cellClass(column, isEditable && !isDirect)}
    >
      {isHiddenCell(arch, column, record) ? null : isMain ? (
        <a href={recordHref(search, workspace, record.id)} tabIndex={-1} className="list-link">
          {content()}
        </a>
      ) : isDirect ? (
        <DirectEdit key={record.id} record={record} column={column} />
      ) : (
        content()
      )}
    </td>
  );
});

function contentOf(model: string, record: RecordValues, { field, node, widget }: Column): ReactNode {
  const value = record[field.name];
  if (value === undefined) return <span className="list-wait" />;
  const given = { field, node, model, value, record, place: 'list' } as const;
  // Elements are reused for other records; the key keeps component state from leaking between them.
  return widget.cell ? widget.cell(given) : <widget.Read key={record.id} {...given} />;
}

/** For stars and toggles: one click is the whole edit. */
function DirectEdit({ record, column }: { readonly record: RecordValues; readonly column: Column }) {
  const { workspace, actions } = useRows();
  const { name } = column;
  return (
    <span data-direct>
      <CellControl
        {...{ column, record }}
        model={workspace.model}
        place="list"
        id={`list-${record.id}-${name}`}
        onChange={(value, shown = {}) => {
          const ids = actions.targets(record.id);
          saveCell({ workspace, column, record, ids, value, shown, base: record[name] }).catch(showError);
        }}
      />
    </span>
  );
}

function cellClass({ isEnd, field, isMain }: Column, hasPencil: boolean): string {
  const { isDate, isLong } = fieldType(field.type);
  const isMute = !isMain && (isDate || isLong || field.relation === 'core.user');
  return `list-cell${isEnd ? ' num' : ''}${isMute ? ' mut' : ''}${hasPencil ? ' has-pencil' : ''}`;
}

interface EditCellProps {
  readonly record: RecordValues;
  readonly column: Column;
  readonly row: number;
  readonly at: number;
  readonly editing: EditedCell;
}

/**
 * A cell that is being edited. It keeps the typed text even if the row changes meanwhile. Leaving it saves in the
 * background; a rejected value comes back as typed, with the reason.
 */
function EditCell(props: EditCellProps) {
  const { record, column, at } = props;
  const { workspace } = useRows();
  const cell = useRef<HTMLTableCellElement>(null);
  const id = useId();
  const { shown, problem, setProblem, onChange, onKeyDown, onBlur } = useCellEdit(props, cell);
  return (
    <td
      ref={cell}
      aria-colindex={at + 2}
      className={`list-cell list-edit ${column.isEnd ? 'num' : ''}`}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      onClick={(event) => event.stopPropagation()}
    >
      <CellControl
        {...{ id, column, problem, onChange }}
        model={workspace.model}
        record={shown}
        place="list"
        hasAutoFocus
        isRequired={isRequiredCell(workspace.arch, column, record)}
      />
      {problem && <CellProblem id={id} anchor={cell} problem={problem} onClose={() => setProblem('')} />}
    </td>
  );
}

/** The typed value, and the ways to leave the cell: Enter, Tab and blur save, Escape does not. */
function useCellEdit(
  { record, column, row, at, editing: { refused } }: EditCellProps,
  cell: RefObject<Element | null>,
) {
  const { workspace, actions } = useRows();
  const { name } = column;
  const [draft, setDraft] = useState(refused ? { value: refused.value, shown: refused.shown } : null);
  const [problem, setProblem] = useState(refused?.problem ?? '');
  const base = useRef(refused ? refused.base : record[name]);
  const isLeft = useRef(false);
  /** False: the value is invalid, so the cell stays open. */
  const save = (): boolean => {
    if (isLeft.current) return false;
    if (draft && !Object.is(draft.value, base.current)) {
      const ids = actions.targets(record.id);
      const change = { workspace, column, record, ids, ...draft, base: base.current };
      const wrong = cellProblem(change);
      setProblem(wrong);
      if (wrong) return false;
      saveCell(change).catch((error) => actions.takeBack(refusedCell(change, error), error));
    }
    isLeft.current = true;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      isLeft.current = true;
      actions.edit(null);
      actions.focus(row, at);
    } else if (event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement && event.shiftKey)) {
      event.preventDefault();
      if (save()) actions.leaveEdit(row, at);
    } else if (event.key === 'Tab') {
      event.preventDefault();
      if (save()) actions.editNext({ id: record.id, column: name }, event.shiftKey ? -1 : 1);
    }
  };
  const onBlur = (event: FocusEvent) => {
    if (event.relatedTarget && cell.current?.contains(event.relatedTarget)) return;
    if (document.hasFocus() && save()) actions.edit(null);
  };
  const onChange = (value: unknown, shown: Values = {}) => {
    setProblem('');
    setDraft((now) => ({ value, shown: { ...now?.shown, ...shown } }));
  };
  const shown = draft ? { ...record, ...draft.shown, [name]: draft.value } : record;
  return { shown, problem, setProblem, onChange, onKeyDown, onBlur };
}

/** The cell as it was typed, to be opened again. */
function refusedCell({ column: { name }, record, value, shown, base }: CellChange, error: unknown): EditedCell {
  const { code, message, fields, details } = toClientError(error);
  const conflict = (details.fields as Record<string, { theirs?: unknown }> | undefined)?.[name];
  const isConflict = code === 'CONFLICT' && conflict !== undefined;
  const problem = isConflict
    ? t('Someone else changed this in the meantime. Save again to keep your version.')
    : (fields[name]?.[0] ?? message);
  const refused = { value, shown, problem, base: isConflict ? conflict.theirs : base };
  return { id: record.id, column: name, refused };
}
