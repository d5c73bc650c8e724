import {
  announce,
  askFollowUps,
  ClientError,
  invalidMessage,
  isToMany,
  patch,
  seenValue,
  t,
  whileBusy,
  writeRecords,
  writtenValue,
} from '../../door/index.ts';
import { isEmptyValue, isRequiredCell } from './can-edit.ts';
import type { CellChange } from './save-in-all.ts';

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
  if (ids.length > 1 || change.listChange) {
    return whileBusy(import('./save-in-all.ts').then(({ saveInAll }) => saveInAll(change)));
  }
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
