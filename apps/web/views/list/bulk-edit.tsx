import { useId, useState } from 'react';
import { Button, Dialog, t, tn, toClientError, type Values } from '../../door/index.ts';
import { CellControl } from '../table/cell-control.tsx';
import type { Column } from '../table/columns.ts';
import { useList } from './list-context.ts';
import { saveCell } from './save-cell.ts';

interface BulkEditProps {
  readonly ids: readonly number[];
  readonly columns: readonly Column[];
  readonly onClose: () => void;
}

/** Sets one field to the same value in all selected rows. */
export function BulkEdit({ ids, columns, onClose }: BulkEditProps) {
  const { workspace } = useList();
  const editable = columns.filter(({ field, widget }) => !field.readonly && widget.Edit !== null);
  // The name is the least likely field to be set in bulk.
  const [name, setName] = useState((editable.find(({ isMain }) => !isMain) ?? editable[0])?.name ?? '');
  const [draft, setDraft] = useState<{ value: unknown; shown: Values }>({ value: null, shown: {} });
  const [problem, setProblem] = useState('');
  const id = useId();
  const column = editable.find((one) => one.name === name);
  const begin = (next: string) => {
    setName(next);
    setDraft({ value: null, shown: {} });
    setProblem('');
  };
  const record = { id: 0, ...draft.shown, [name]: draft.value };
  const save = async () => {
    if (!column) return;
    try {
      await saveCell({ workspace, column, record, ids, value: draft.value, shown: draft.shown, base: undefined });
      onClose();
    } catch (error) {
      setProblem(problemOf(error, name));
    }
  };
  return (
    <Dialog
      title={tn('Edit {n} record', 'Edit {n} records', ids.length)}
      onClose={onClose}
      footer={<BulkFoot onClose={onClose} onSave={save} />}
    >
      <div className="stack">
        <FieldChoice id={`${id}-field`} columns={editable} name={name} onChoose={begin} />
        {column && (
          <>
            <label htmlFor={`${id}-value`} className="medium">
              {column.label}
            </label>
            <div className="control round target row">
              <CellControl
                key={name}
                {...{ column, record, problem }}
                id={`${id}-value`}
                model={workspace.model}
                place="form"
                isRequired={column.field.required}
                onChange={(value, shown = {}) => {
                  setProblem('');
                  setDraft({ value, shown });
                }}
              />
            </div>
          </>
        )}
        <p id={`${id}-value-problem`} className="field-problem" role="alert">
          {problem}
        </p>
      </div>
    </Dialog>
  );
}

function problemOf(error: unknown, name: string): string {
  const { fields, message } = toClientError(error);
  return fields[name]?.[0] ?? message;
}

interface FieldChoiceProps {
  readonly id: string;
  readonly columns: readonly Column[];
  readonly name: string;
  readonly onChoose: (name: string) => void;
}

function FieldChoice({ id, columns, name, onChoose }: FieldChoiceProps) {
  return (
    <>
      <label htmlFor={id} className="medium">
        {t('Field')}
      </label>
      <select id={id} className="input" value={name} onChange={(event) => onChoose(event.target.value)}>
        {columns.map((one) => (
          <option key={one.name} value={one.name}>
            {one.label}
          </option>
        ))}
      </select>
    </>
  );
}

function BulkFoot({ onClose, onSave }: { readonly onClose: () => void; readonly onSave: () => Promise<void> }) {
  return (
    <>
      <Button kind="bare" onClick={onClose}>
        {t('Cancel')}
      </Button>
      <Button kind="primary" onClick={() => void onSave()}>
        {t('Save')}
      </Button>
    </>
  );
}
