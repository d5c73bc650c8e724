import {
  announce,
  askFollowUps,
  ClientError,
  invalidMessage,
  isToMany,
  patch,
  type RecordValues,
  seenValue,
  t,
  tn,
  type Values,
  type WorkspacePayload,
  writeRecords,
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
  const { name } = column;
  const problem = cellProblem(change);
  if (problem) throw new ClientError('validation', problem, { details: { fields: { [name]: [problem] } } });
  const isBulk = ids.length > 1;
  // Shown already while onchange is asked what else changes.
  const unpatch = patch(workspace.model, ids, { [name]: value, ...shown });
  try {
    const values = {
      ...(isBulk ? {} : await askFollowUps(workspace, column.field, { id: record.id, value })),
      [name]: value,
    };
    const seen = isToMany(column.field) ? seenValue(base) : base;
    await writeRecords({
      ...{ model: workspace.model, ids, values, shown },
      ...(isBulk ? { done: bulkText(change) } : { base: { [name]: seen } }),
    });
  } finally {
    unpatch();
  }
  if (!isBulk) announce(t('Saved'));
}

function bulkText({ ids, column, record, value, shown }: CellChange): string {
  const { field, node, widget, label } = column;
  const model = '';
  const text = widget.toText({ field, node, model, value, record: { ...record, ...shown }, place: 'list' });
  return tn('Set {label} of {n} record to {text}', 'Set {label} of {n} records to {text}', ids.length, {
    label,
    text: text === '' ? t('nothing') : text,
  });
}
