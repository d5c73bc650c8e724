import type { FieldConflict, WorkspacePayload } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { ClientError, toClientError } from '../client-error.ts';
import { connection } from '../connection.ts';
import { remember } from '../records.ts';
import { type RecordValues, read, rpcReceipt, type Values } from '../rpc.ts';
import { announce, showToast } from '../toasts.ts';
import { saveWhenBack } from '../waiting-saves.ts';
import { expireModel } from '../workspace-cache.ts';
import { changedValues, missingFields, seenValues, unseenValues } from './changed-values.ts';
import { dropDraft } from './drafts.ts';
import { type Form, type FormState, shownRecord } from './form-state.ts';
import { invalidFields } from './invalid-values.ts';
import { remainingLines } from './line-commands.ts';
import { hasChanges, isLinesEdit, withoutBlankLines } from './lines.ts';

/** Saves what changed, in one call. True when it is saved; else the form shows why. */
export async function saveForm(form: Form, workspace: WorkspacePayload): Promise<boolean> {
  if (form.get().isSaving) return false;
  form.set(leaveBlankLines);
  const sent = form.get();
  const invalid = invalidFields(sent, workspace.arch);
  const fields = { ...missingFields(sent, workspace.arch), ...invalid };
  if (Object.keys(fields).length > 0) {
    const message =
      Object.keys(invalid).length > 0 ? t('Some values cannot be taken.') : t('Some fields need a value.');
    showFailure(form, new ClientError('validation', message, { details: { fields } }));
    return false;
  }
  const values = changedValues(sent, workspace.arch);
  if (sent.id !== 0 && Object.keys(values).length === 0) {
    dropDraft(sent.model, sent.id);
    form.set((now) => ({
      ...now,
      edits: {},
      shown: {},
      errors: {},
      requestId: '',
      isTouched: false,
      isRestored: false,
    }));
    return true;
  }
  form.set((now) => ({ ...now, isSaving: true, errors: {}, requestId: '' }));
  const wasLost = connection.get() === 'lost' || !navigator.onLine;
  try {
    const id = await send(sent, workspace, { ...(await unseenValues(sent, workspace)), ...values });
    const stored = await readBack(sent, workspace, id);
    dropDraft(sent.model, sent.id);
    form.set((now) => afterSave(now, sent, stored));
    remember(sent.model, [stored]);
    expireModel(sent.model);
    announce(t('Saved'));
    return true;
  } catch (error) {
    const failure = toClientError(error);
    if (failure.code === 'network' && isSafeToRepeat(sent, wasLost)) return waitWithSave(form, workspace);
    showFailure(form, failure);
    if (failure.code === 'CONFLICT') await showTheirs(form, workspace);
    return false;
  }
}

/** A new record that was on its way when the line broke may have arrived: it is not sent twice by itself. */
function isSafeToRepeat({ id }: FormState, wasLost: boolean): boolean {
  return id !== 0 || wasLost;
}

/** The notice of the lost connection lists it; it is saved when the server is back, also after the person went elsewhere. */
function waitWithSave(form: Form, workspace: WorkspacePayload): false {
  const { model, id, stored } = form.get();
  form.set((now) => ({ ...now, isSaving: false }));
  const name = String(shownRecord(form.get()).name ?? stored.display_name ?? workspace.arch.label);
  saveWhenBack({
    key: `${model},${id}`,
    name,
    run: async () => {
      if (await saveForm(form, workspace)) return;
      const { errors } = form.get();
      const why = Object.values(errors).flat().join(' ');
      if (why !== '') showToast({ kind: 'error', title: t('{name} was not saved.', { name }), body: why });
    },
  });
  return false;
}

function leaveBlankLines(state: FormState): FormState {
  const edits = Object.entries(state.edits).map(([name, edit]): [string, unknown] => [
    name,
    isLinesEdit(edit) ? withoutBlankLines(edit) : edit,
  ]);
  if (edits.every(([name, edit]) => edit === state.edits[name])) return state;
  return { ...state, edits: Object.fromEntries(edits.filter(([, edit]) => !isLinesEdit(edit) || hasChanges(edit))) };
}

async function send(state: FormState, { arch }: WorkspacePayload, values: Values): Promise<number> {
  const { model, id } = state;
  if (id === 0) return (await rpcReceipt<number>({ model, method: 'create', args: [values] })).result;
  const base = seenValues(state, arch, Object.keys(values));
  await rpcReceipt({ model, method: 'write', args: [[id], values], kwargs: { base } });
  return id;
}

/** The record as it is now. It is saved already, so what cannot be read is taken from the screen. */
async function readBack(sent: FormState, { arch }: WorkspacePayload, id: number): Promise<RecordValues> {
  const shown = { ...shownRecord(sent), id };
  if (!arch.paths) return shown;
  const [fresh] = await read(sent.model, [id], arch.paths).catch(() => []);
  return fresh ?? shown;
}

/** Whatever was typed while the call was under way is still to be saved. */
function afterSave(now: FormState, sent: FormState, stored: RecordValues): FormState {
  const edits: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(now.edits)) {
    const before = sent.edits[name];
    if (value === before) continue;
    if (isLinesEdit(value) && isLinesEdit(before)) {
      const rest = remainingLines(value, before, sent.stored[name], stored[name]);
      if (hasChanges(rest)) edits[name] = rest;
    } else edits[name] = value;
  }
  const isTouched = Object.keys(edits).length > 0;
  return {
    ...now,
    id: stored.id,
    stored,
    edits,
    shown: isTouched ? now.shown : {},
    conflicts: {},
    theirs: null,
    isSaving: false,
    savedAt: new Date().toISOString(),
    isTouched,
    isRestored: false,
  };
}

/** Shows why a save or a call was refused, at the fields where the error names some. */
export function showFailure(form: Form, error: ClientError): void {
  const conflicts = error.code === 'CONFLICT' ? (error.details.fields as Record<string, FieldConflict>) : null;
  const fields = Object.keys(error.fields).length > 0 ? error.fields : { '': [error.message] };
  form.set((now) => ({
    ...now,
    isSaving: false,
    conflicts: conflicts ?? {},
    errors: conflicts ? {} : fields,
    requestId: error.code === 'INTERNAL_ERROR' ? error.requestId : '',
  }));
  announce(error.message);
}

/** Names of what they chose, for the picker. */
async function showTheirs(form: Form, { arch, model }: WorkspacePayload): Promise<void> {
  if (!arch.paths) return;
  const [theirs] = await read(model, [form.get().id], arch.paths).catch(() => []);
  if (theirs) form.set((now) => ({ ...now, theirs }));
}
