import { isDirty, showFailure, t, toClientError, writeRecords } from '../../door/index.ts';
import type { OpenForm } from './use-form.ts';

export interface Step {
  readonly value: string | number;
  readonly label: string;
  /** The user may click it. */
  readonly isOpen: boolean;
  /** The record was abandoned, such as a lost lead. */
  readonly isOff?: boolean;
}

/** Saves the new step at once, with Undo. A new record only shows it until it is saved. */
export async function moveTo(
  { form, set, reload }: OpenForm,
  field: string,
  { value, label }: Step,
  onSave: () => Promise<boolean>,
): Promise<void> {
  const shown = { [`${field}.display_name`]: label };
  if (form.get().id === 0) return set(field, value, shown);
  if (isDirty(form.get()) && !(await onSave())) return;
  const { model, id, stored } = form.get();
  const done = t('Moved {name} to {column}', { name: String(stored.display_name ?? ''), column: label });
  const base = { [field]: stored[field] ?? null };
  try {
    await writeRecords({ model, ids: [id], values: { [field]: value }, shown, base, done });
  } catch (error) {
    // Required fields can then be filled in and saved together with the step.
    set(field, value, shown);
    return showFailure(form, toClientError(error));
  }
  await reload().catch(() => {});
}
