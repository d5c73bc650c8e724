import { fieldType } from '@kontor/protocol';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { sendChange } from '../../data/changes.ts';
import { toClientError } from '../../data/client-error.ts';
import { invalidMessage } from '../../data/form/invalid-values.ts';
import { type RecordValues, rpc, type Values } from '../../data/rpc.ts';
import { announce } from '../../data/toasts.ts';
import { expireModel } from '../../data/workspace-cache.ts';
import { t } from '../../i18n/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { isEmptyValue, isRequiredCell } from './can-edit.ts';
import type { Column } from './columns.ts';
import { useList } from './list-context.ts';

interface DraftRowProps {
  readonly onClose: () => void;
}

/** A new record in the list itself. Enter saves it and starts the next; Escape leaves it. */
export function DraftRow({ onClose }: DraftRowProps) {
  const { workspace, columns, actions } = useList();
  const { model, arch, defaults } = workspace;
  const [given, setGiven] = useState<Values>(defaults);
  const [typed, setTyped] = useState<Values>({});
  const [shown, setShown] = useState<Values>({});
  const [problems, setProblems] = useState<Readonly<Record<string, readonly string[]>>>({});
  const [round, setRound] = useState(0);
  const row = useRef<HTMLTableRowElement>(null);
  const record: RecordValues = { id: 0, ...given, ...typed, ...shown };
  const firstBad = columns.find(({ name }) => problems[name]?.length);
  useEffect(() => {
    rpc<{ value: Values }>({ model, method: 'onchange', args: [defaults, []] }).then(
      ({ value }) => setGiven({ ...value, ...defaults }),
      () => {},
    );
  }, [model, defaults]);
  const save = async (): Promise<boolean> => {
    const missing = columns.filter(
      (column) => isRequiredCell(arch, column, record) && isEmptyValue(record[column.name]),
    );
    const invalid = columns.flatMap(({ name, field }) => {
      const problem = invalidMessage(field, record[name]);
      return problem ? [[name, [problem]] as const] : [];
    });
    if (missing.length + invalid.length > 0) {
      const asked = missing.map(({ name, label }) => [name, [t('{label} is required.', { label })]] as const);
      setProblems(Object.fromEntries([...asked, ...invalid]));
      return false;
    }
    try {
      await sendChange({ model, method: 'create', args: [{ ...defaults, ...typed }] });
      announce(t('Saved'));
      expireModel(model);
      return true;
    } catch (error) {
      const failure = toClientError(error);
      const where =
        Object.keys(failure.fields).length > 0 ? failure.fields : { [columns[0]?.name ?? '']: [failure.message] };
      setProblems(where);
      return false;
    }
  };
  const onKeyDown = async (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      onClose();
      actions.focus(0, 0);
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (!(await save())) return;
    setTyped({});
    setShown({});
    setRound(round + 1);
  };
  const onBlur = async (event: React.FocusEvent) => {
    if (row.current?.contains(event.relatedTarget) || !document.hasFocus()) return;
    if (Object.keys(typed).length === 0 || (await save())) onClose();
  };
  const change = (name: string, value: unknown, more: Values = {}) => {
    setTyped((now) => ({ ...now, [name]: value }));
    setShown((now) => ({ ...now, ...more }));
    setProblems(({ [name]: _gone, ...others }) => others);
  };
  return (
    <tr
      key={round}
      ref={row}
      className="list-draft"
      onKeyDown={(event) => void onKeyDown(event)}
      onBlur={(event) => void onBlur(event)}
    >
      <td />
      {columns.map((column, at) => (
        <DraftCell
          key={column.name}
          column={column}
          record={record}
          hasFocus={at === firstEditable(columns)}
          problem={problems[column.name]?.[0] ?? ''}
          isFirstBad={firstBad === column}
          onChange={change}
        />
      ))}
      <td className="list-end">
        <IconButton icon="x" label={t('Discard')} onClick={onClose} />
      </td>
    </tr>
  );
}

interface DraftCellProps {
  readonly column: Column;
  readonly record: RecordValues;
  readonly hasFocus: boolean;
  readonly problem: string;
  readonly isFirstBad: boolean;
  readonly onChange: (name: string, value: unknown, shown?: Values) => void;
}

function DraftCell({ column, record, hasFocus, problem, isFirstBad, onChange }: DraftCellProps) {
  const { workspace } = useList();
  const { field, node, widget, label, name } = column;
  const cell = useRef<HTMLTableCellElement>(null);
  const id = useId();
  const Edit = widget.Edit;
  if (!Edit || field.readonly) {
    return (
      <td className="list-cell">
        <widget.Read {...{ field, node, record }} model={workspace.model} value={record[name] ?? null} place="list" />
      </td>
    );
  }
  return (
    <td ref={cell} className={`list-cell list-edit ${column.align === 'end' ? 'num' : ''}`}>
      <Edit
        {...{ id, label, field, node, record }}
        model={workspace.model}
        value={record[name] ?? null}
        place="list"
        hasAutoFocus={hasFocus}
        isRequired={isRequiredCell(workspace.arch, column, record)}
        isInvalid={problem !== ''}
        describedBy={problem ? `${id}-problem` : undefined}
        domain={node.domain}
        onChange={(value, shown) => onChange(name, value, shown)}
      />
      {problem && isFirstBad && (
        <Popover anchor={cell} mode="manual" onClose={() => {}} className="list-problem">
          <p id={`${id}-problem`} role="alert">
            {problem}
          </p>
        </Popover>
      )}
    </td>
  );
}

function firstEditable(columns: readonly Column[]): number {
  const isEditable = ({ field, widget }: Column) => widget.Edit !== null && !field.readonly;
  const typed = columns.findIndex((column) => isEditable(column) && !fieldType(column.field.type).isBoolean);
  return typed < 0 ? columns.findIndex(isEditable) : typed;
}
