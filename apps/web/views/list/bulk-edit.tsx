import { useId, useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import type { Values } from '../../data/rpc.ts';
import { t, tn } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Column } from '../table/columns.ts';
import { useList } from './list-context.ts';
import { saveCell } from './save-cell.ts';

interface BulkEditProps {
  readonly ids: readonly number[];
  readonly columns: readonly Column[];
  readonly onClose: () => void;
}

/** One value for one field of all the rows that are chosen. */
export function BulkEdit({ ids, columns, onClose }: BulkEditProps) {
  const { workspace } = useList();
  const editable = columns.filter(({ field, widget }) => !field.readonly && widget.Edit !== null);
  // Nobody gives fifty records one name.
  const first = editable.find(({ isMain }) => !isMain) ?? editable[0];
  const [name, setName] = useState(first?.name ?? '');
  const [draft, setDraft] = useState<{ value: unknown; shown: Values }>({ value: null, shown: {} });
  const [problem, setProblem] = useState('');
  const id = useId();
  const column = editable.find((one) => one.name === name);
  const Edit = column?.widget.Edit;
  const record = { id: 0, ...draft.shown, [name]: draft.value };
  const save = async () => {
    if (!column) return;
    try {
      await saveCell({ workspace, column, record, ids, value: draft.value, shown: draft.shown, base: undefined });
      onClose();
    } catch (error) {
      const failure = toClientError(error);
      setProblem(failure.fields[name]?.[0] ?? failure.message);
    }
  };
  return (
    <Dialog
      title={tn('Edit {n} record', 'Edit {n} records', ids.length)}
      onClose={onClose}
      footer={
        <>
          <Button kind="bare" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button kind="primary" onClick={() => void save()}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <div className="list-bulk">
        <label htmlFor={`${id}-field`}>{t('Field')}</label>
        <select
          id={`${id}-field`}
          className="input"
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setDraft({ value: null, shown: {} });
            setProblem('');
          }}
        >
          {editable.map((one) => (
            <option key={one.name} value={one.name}>
              {one.label}
            </option>
          ))}
        </select>
        {column && Edit && (
          <>
            <label htmlFor={`${id}-value`}>{column.label}</label>
            <div className="list-bulk-value">
              <Edit
                key={name}
                id={`${id}-value`}
                label={column.label}
                field={column.field}
                node={column.node}
                model={workspace.model}
                value={draft.value}
                record={record}
                place="form"
                isRequired={column.field.required}
                isInvalid={problem !== ''}
                describedBy={`${id}-problem`}
                onChange={(value, shown = {}) => {
                  setProblem('');
                  setDraft({ value, shown });
                }}
              />
            </div>
          </>
        )}
        <p id={`${id}-problem`} className="field-problem" role="alert">
          {problem}
        </p>
      </div>
    </Dialog>
  );
}
