import {
  announce,
  askFollowUps,
  ClientError,
  invalidMessage,
  isRecords,
  isToMany,
  type ListChange,
  listAfter,
  patch,
  type RecordValues,
  recall,
  seenValue,
  t,
  tn,
  type Values,
  type WorkspacePayload,
  writeRecords,
  writtenValue,
} from '../../door/index.ts';
import type { Column } from '../table/columns.ts';
import { isEmptyValue, isRequiredCell } from './can-edit.ts';

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

/** Why a value is invalid, as far as the client can tell; empty if it is valid. */
export function cellProblem({ workspace: { arch }, column, record, value }: CellChange): string {
  const isMissing = isEmptyValue(value) && isRequiredCell(arch, column, record);
  return isMissing ? t('{label} is required.', { label: column.label }) : (invalidMessage(column.field, value) ?? '');
}

/**
 * Saves a cell in one record or in all selected ones: shows the value at once, and restores the old one on failure.
 * Throws `ClientError`.
 */
export async function saveCell(change: CellChange): Promise<void> {
  const { workspace, column, record, ids, value, shown, base } = change;
  const { name, field } = column;
  const { model } = workspace;
  const problem = cellProblem(change);
  if (problem) throw new ClientError('validation', problem, { details: { fields: { [name]: [problem] } } });
  if (ids.length > 1 || change.listChange) return saveInAll(change);
  // Shown already while onchange is asked what else changes.
  const unpatch = patch(model, ids, { [name]: value, ...shown });
  try {
    const written = writtenValue(field, value);
    const values = { ...(await askFollowUps(workspace, field, { id: record.id, value: written })), [name]: written };
    const seen = isToMany(field) ? seenValue(base) : base;
    await writeRecords({ model, ids, values, shown: { [name]: value, ...shown }, base: { [name]: seen } });
  } finally {
    unpatch();
  }
  announce(t('Saved'));
}

async function saveInAll(change: CellChange): Promise<void> {
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
