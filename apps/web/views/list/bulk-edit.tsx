import { useId, useState } from 'react';
import {
  Button,
  Dialog,
  fieldType,
  isToMany,
  type ListChange,
  t,
  tn,
  toClientError,
  type Values,
} from '../../door/index.ts';
import { CellControl } from '../table/cell-control.tsx';
import type { Column } from '../table/columns.ts';
import { isEmptyValue } from './can-edit.ts';
import { useList } from './list-context.ts';
import { saveCell } from './save-cell.ts';

interface BulkEditProps {
  readonly ids: readonly number[];
  readonly columns: readonly Column[];
  readonly onClose: () => void;
}

/** What is entered, and saving it in all the rows. */
function useBulkEdit({ ids, columns, onClose }: BulkEditProps) {
  const { workspace } = useList();
  const editable = columns.filter(({ field, widget }) => !field.readonly && widget.Edit !== null);
  // The name is the least likely field to be set in bulk.
  const [name, setName] = useState((editable.find(({ isMain }) => !isMain) ?? editable[0])?.name ?? '');
  const [draft, setDraft] = useState(() => blankDraft(editable, name));
  const [problem, setProblem] = useState('');
  const column = editable.find((one) => one.name === name);
  const begin = (next: string) => {
    setName(next);
    setDraft(blankDraft(editable, next));
    setProblem('');
  };
  const [chosenChange, setListChange] = useState<ListChange>('link');
  const isList = column !== undefined && isToMany(column.field);
  const record = { id: 0, ...draft.shown, [name]: draft.value };
  const save = async () => {
    if (!column) return;
    const listChange = isList ? chosenChange : 'set';
    if (listChange !== 'set' && isEmptyValue(draft.value))
      return setProblem(t('Choose what to add or remove, or replace all with nothing.'));
    try {
      await saveCell({ workspace, column, record, ids, ...draft, base: undefined, listChange });
      onClose();
    } catch (error) {
      setProblem(problemOf(error, name));
    }
  };
  const change = (value: unknown, shown: Values = {}) => {
    setProblem('');
    setDraft({ value, shown });
  };
  const list = isList ? { value: chosenChange, onChoose: setListChange } : null;
  return { editable, column, name, begin, record, problem, list, change, save };
}

/** Sets one field to the same value in all selected rows. */
export function BulkEdit(props: BulkEditProps) {
  const { ids, onClose } = props;
  const { workspace } = useList();
  const { editable, column, name, begin, record, problem, list, change, save } = useBulkEdit(props);
  const id = useId();
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
            {list && <ListChoice id={`${id}-change`} {...list} />}
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
                onChange={change}
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

/** Nothing is chosen yet. A box without a tick is a no. */
function blankDraft(columns: readonly Column[], name: string): { readonly value: unknown; readonly shown: Values } {
  const field = columns.find((one) => one.name === name)?.field;
  return { value: field && fieldType(field.type).isBoolean ? false : null, shown: {} };
}

interface ListChoiceProps {
  readonly id: string;
  readonly value: ListChange;
  readonly onChoose: (change: ListChange) => void;
}

/** Lists differ from record to record: a choice is added to them, taken out of them, or replaces them. */
function ListChoice({ id, value, onChoose }: ListChoiceProps) {
  return (
    <>
      <label htmlFor={id} className="medium">
        {t('Change')}
      </label>
      <select id={id} className="input" value={value} onChange={(event) => onChoose(event.target.value as ListChange)}>
        <option value="link">{t('Add')}</option>
        <option value="unlink">{t('Remove')}</option>
        <option value="set">{t('Replace all')}</option>
      </select>
    </>
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
      <Button onClick={onClose}>{t('Cancel')}</Button>
      <Button kind="primary" onClick={() => void onSave()}>
        {t('Save')}
      </Button>
    </>
  );
}
