import type { FieldConflict, WorkspacePayload } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { keepEqual } from '../../state/keep-equal.ts';
import { ClientError, toClientError } from '../client-error.ts';
import { patch, remember } from '../records.ts';
import { type RecordValues, read, rpcReceipt } from '../rpc.ts';
import { announce, showToast } from '../toasts.ts';
import { saveWhenBack } from '../waiting-saves.ts';
import { expireModel } from '../workspace-cache.ts';
import { changedValues, missingFields, seenValues, unseenValues } from './changed-values.ts';
import { dropDraft } from './drafts.ts';
import { type Form, type FormState, isDirty, shownRecord, type Unanswered } from './form-state.ts';
import { invalidFields } from './invalid-values.ts';
import { remainingLines } from './line-commands.ts';
import { hasChanges, isLinesEdit, withoutBlankLines } from './lines.ts';

/** Saves the edits in one call. True if saved; otherwise the form shows why. */
export async function saveForm(form: Form, workspace: WorkspacePayload): Promise<boolean> {
  if (form.get().sending) return false;
  if (form.get().unanswered) {
    const isMade = await sendAgain(form, workspace);
    if (isMade === null) return false;
    if (isMade && !isDirty(form.get())) return true;
  }
  form.set(leaveBlankLines);
  const sent = form.get();
  const invalid = invalidFields(sent, workspace.arch);
  const fields = { ...missingFields(sent, workspace.arch), ...invalid };
  if (Object.keys(fields).length > 0) {
    const message = Object.keys(invalid).length > 0 ? t('Some values are not valid.') : t('Some fields need a value.');
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
  form.set((now) => ({ ...now, sending: now.edits, errors: {}, requestId: '' }));
  const unpatch = showSaved(sent);
  try {
    const all = { ...(await unseenValues(sent, workspace)), ...values };
    if (sent.id === 0) {
      const { edits, shown } = sent;
      const at = new Date().toISOString();
      const unanswered = { key: crypto.randomUUID(), values: all, sent: { edits, shown }, at };
      form.set((now) => ({ ...now, unanswered }));
      await create(form, workspace);
    } else {
      const kwargs = { base: seenValues(sent, workspace.arch, Object.keys(all)) };
      await rpcReceipt({ model: sent.model, method: 'write', args: [[sent.id], all], kwargs });
      await takeSaved(form, workspace, sent, sent.id);
    }
    return true;
  } catch (error) {
    const failure = toClientError(error);
    if (failure.code === 'network') return saveWhenReconnected(form, workspace);
    form.set((now) => ({ ...now, unanswered: null }));
    showFailure(form, failure);
    if (Object.keys(form.get().conflicts).length > 0) await showTheirs(form, workspace);
    return false;
  } finally {
    unpatch();
  }
}

/** Shows the edits in lists while they are being saved. The returned function removes them. */
function showSaved({ model, id, edits, shown }: FormState): () => void {
  const plain = Object.entries(edits).filter(([, edit]) => !isLinesEdit(edit));
  return id > 0 ? patch(model, [id], { ...shown, ...Object.fromEntries(plain) }) : () => {};
}

async function create(form: Form, workspace: WorkspacePayload): Promise<void> {
  const now = form.get();
  const { key, values, sent } = now.unanswered as Unanswered;
  const call = { model: now.model, method: 'create', args: [values] };
  const { result } = await rpcReceipt<number>(call, { headers: { 'idempotency-key': key } });
  await takeSaved(form, workspace, { ...now, ...sent }, result);
}

/**
 * Sends the same values with the same key, so that the record is created once. False: rejected; null: still no answer.
 */
async function sendAgain(form: Form, workspace: WorkspacePayload): Promise<boolean | null> {
  form.set((now) => ({ ...now, sending: now.edits }));
  try {
    await create(form, workspace);
    return true;
  } catch (error) {
    if (toClientError(error).code === 'network') {
      saveWhenReconnected(form, workspace);
      return null;
    }
    form.set((now) => ({ ...now, sending: null, unanswered: null }));
    return false;
  }
}

async function takeSaved(form: Form, workspace: WorkspacePayload, sent: FormState, id: number): Promise<void> {
  const stored = await readBack(sent, workspace, id);
  dropDraft(sent.model, sent.id);
  form.set((now) => afterSave(now, sent, stored));
  remember(sent.model, [stored]);
  expireModel(sent.model);
  announce(t('Saved'));
}

/**
 * Lists the record in the connection notice; it is saved when the server is back, even if the user has left the screen.
 */
function saveWhenReconnected(form: Form, workspace: WorkspacePayload): false {
  const { model, id, stored, unanswered } = form.get();
  form.set((now) => ({ ...now, sending: null }));
  const name = String(shownRecord(form.get()).name ?? stored.display_name ?? workspace.arch.label);
  saveWhenBack({
    key: unanswered?.key ?? `${model},${id}`,
    name,
    run: async () => {
      if (!isDirty(form.get()) || (await saveForm(form, workspace))) return;
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

/** Reads the saved record. It is saved already, so unreadable fields are taken from the screen. */
async function readBack(sent: FormState, { arch }: WorkspacePayload, id: number): Promise<RecordValues> {
  const shown = { ...shownRecord(sent), id };
  if (!arch.paths) return shown;
  const [fresh] = await read(sent.model, [id], arch.paths).catch(() => []);
  return fresh ?? shown;
}

/** Input since the call was sent is still to be saved. */
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
    stored: keepEqual(now.stored, stored),
    edits,
    shown: isTouched ? now.shown : {},
    conflicts: {},
    theirs: null,
    sending: null,
    savedAt: new Date().toISOString(),
    isTouched,
    isRestored: false,
    unanswered: null,
  };
}

/** Shows why a save or a call was rejected, at the fields that the error names. */
export function showFailure(form: Form, error: ClientError): void {
  const conflicts = error.code === 'CONFLICT' ? (error.details.fields as Record<string, FieldConflict>) : null;
  const fields = Object.keys(error.fields).length > 0 ? error.fields : { '': [error.message] };
  form.set((now) => ({
    ...now,
    sending: null,
    conflicts: conflicts ?? {},
    errors: conflicts ? {} : fields,
    requestId: error.code === 'INTERNAL_ERROR' ? error.requestId : '',
  }));
  announce(error.message);
}

/** Loads the names of the records they chose, for the picker. */
async function showTheirs(form: Form, { arch, model }: WorkspacePayload): Promise<void> {
  if (!arch.paths) return;
  const [theirs] = await read(model, [form.get().id], arch.paths).catch(() => []);
  if (theirs) form.set((now) => ({ ...now, theirs }));
}
