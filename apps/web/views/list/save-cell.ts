import type { OnchangeAnswer, WorkspacePayload } from '@kontor/protocol';
import { writeRecords } from '../../data/changes.ts';
import { ClientError } from '../../data/client-error.ts';
import { invalidMessage } from '../../data/form/invalid-values.ts';
import { isToMany, seenValue } from '../../data/form/lines.ts';
import { patch } from '../../data/records.ts';
import { type RecordValues, rpc, type Values } from '../../data/rpc.ts';
import { announce } from '../../data/toasts.ts';
import { t, tn } from '../../i18n/messages.ts';
import { whileBusy } from '../../state/idle.ts';
import type { Column } from '../table/columns.ts';
import { isEmptyValue, isRequiredCell } from './can-edit.ts';

export interface CellChange {
  readonly workspace: WorkspacePayload;
  readonly column: Column;
  readonly record: RecordValues;
  readonly ids: readonly number[];
  readonly value: unknown;
  readonly shown: Values;
  /** What the person saw before; a later change by someone else is a conflict. */
  readonly base: unknown;
}

/** What stands in the way of a value, as far as the screen knows; empty: nothing. */
export function cellProblem({ workspace: { arch }, column, record, value }: CellChange): string {
  const isMissing = isEmptyValue(value) && isRequiredCell(arch, column, record);
  return isMissing ? t('{label} is required.', { label: column.label }) : (invalidMessage(column.field, value) ?? '');
}

/** Saves one cell, in one record or in all that are selected: shown at once, and as it was if it is refused. Throws `ClientError`. */
export async function saveCell(change: CellChange): Promise<void> {
  const { workspace, column, record, ids, value, shown, base } = change;
  const { name } = column;
  const problem = cellProblem(change);
  if (problem) throw new ClientError('validation', problem, { details: { fields: { [name]: [problem] } } });
  const isBulk = ids.length > 1;
  // Also while it is asked what else changes with it.
  const unpatch = patch(workspace.model, ids, { [name]: value, ...shown });
  try {
    const values = { ...(isBulk ? {} : await followUps(workspace, column, record, value)), [name]: value };
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

/** What an onchange of the field says should change with it, as far as it may be written from here. */
async function followUps(
  workspace: WorkspacePayload,
  { field, name }: Column,
  { id }: RecordValues,
  value: unknown,
): Promise<Values> {
  if (!field.onchange) return {};
  const { model, arch } = workspace;
  const args = [{ [name]: value }, [name]];
  const [answer, { showWarning }, { unseenValues }] = await Promise.all([
    rpc<OnchangeAnswer>({ model, method: 'onchange', args, kwargs: { id } }),
    whileBusy(import('../../data/form/onchange.ts')),
    whileBusy(import('../../data/form/changed-values.ts')),
  ]);
  showWarning(answer);
  const known = new Map(arch.fields.map((one) => [one.name, one]));
  const writable = Object.entries(answer.value).filter(([each]) => known.get(each)?.readonly === false);
  return { ...(await unseenValues({ model, edits: answer.value }, workspace)), ...Object.fromEntries(writable) };
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
