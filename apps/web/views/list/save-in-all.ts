import {
  isRecords,
  type ListChange,
  type RecordValues,
  recall,
  t,
  tn,
  type Values,
  type WorkspacePayload,
  writeRecords,
  writtenValue,
} from '../../door/index.ts';
import type { Column } from '../table/columns.ts';

export interface CellChange {
  readonly workspace: WorkspacePayload;
  readonly column: Column;
  readonly record: RecordValues;
  readonly ids: readonly number[];
  readonly value: unknown;
  readonly shown: Values;
  /** The value the user saw; a later change by someone else is a conflict. */
  readonly base: unknown;
  /** For a bulk edit: what becomes of the chosen records of a list. */
  readonly listChange?: ListChange;
}

/** Sets a cell in all selected records; a list may be added to or taken from instead. */
export async function saveInAll(change: CellChange): Promise<void> {
  const { workspace, column, ids, value, shown, listChange = 'set' } = change;
  const { name, field } = column;
  const { model } = workspace;
  const shownIn = (id: number) => (isRecords(value) ? listAfter(recall(model, id)?.[name], value, listChange) : value);
  await writeRecords({
    ...{ model, ids, values: { [name]: writtenValue(field, value, listChange) } },
    shown: (id) => ({ [name]: shownIn(id), ...shown }),
    done: bulkText(change),
  });
}

function bulkText({ ids, column, record, value, shown, listChange }: CellChange): string {
  const { field, node, widget, label } = column;
  const model = '';
  const text = widget.toText({ field, node, model, value, record: { ...record, ...shown }, place: 'list' });
  if (listChange === 'link')
    return tn('Added {text} to {label} of {n} record', 'Added {text} to {label} of {n} records', ids.length, {
      label,
      text,
    });
  if (listChange === 'unlink')
    return tn('Removed {text} from {label} of {n} record', 'Removed {text} from {label} of {n} records', ids.length, {
      label,
      text,
    });
  return tn('Set {label} of {n} record to {text}', 'Set {label} of {n} records to {text}', ids.length, {
    label,
    text: text === '' ? t('nothing') : text,
  });
}

/** The records of a list after a change of it. */
function listAfter(before: unknown, chosen: readonly RecordValues[], change: ListChange): readonly RecordValues[] {
  if (change === 'set') return chosen;
  const stored = isRecords(before) ? before : [];
  const ids = new Set(chosen.map(({ id }) => id));
  const others = stored.filter(({ id }) => !ids.has(id));
  if (change === 'unlink') return others;
  const known = new Set(stored.map(({ id }) => id));
  return [...stored, ...chosen.filter(({ id }) => !known.has(id))];
}
