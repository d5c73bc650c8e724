import type { Arch, ArchField, FieldNode, FormNode, WorkspacePayload } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { ClientError, toClientError } from '../client-error.ts';
import { dropDraft } from '../drafts.ts';
import { remember } from '../records.ts';
import { rpcReceipt, type Values } from '../rpc.ts';
import { announce } from '../toasts.ts';
import { expireModel } from '../workspace-cache.ts';
import { holds } from './conditions.ts';
import { type FieldConflict, type Form, type FormState, shownRecord, valueIn } from './form-state.ts';
import { hasChanges, isLinesEdit, storedLines, toCommands } from './lines.ts';

/** Saves what changed, in one call. True when it is saved; else the form shows why. */
export async function saveForm(form: Form, workspace: WorkspacePayload): Promise<boolean> {
  const state = form.get();
  if (state.isSaving) return false;
  const missing = missingFields(state, workspace.arch);
  if (Object.keys(missing).length > 0) {
    fail(form, new ClientError('validation', t('Some fields need a value.'), { details: { fields: missing } }));
    return false;
  }
  const values = changedValues(state, workspace.arch.fields);
  if (state.id !== 0 && Object.keys(values).length === 0) {
    form.set((now) => ({ ...now, edits: {}, shown: {} }));
    return true;
  }
  form.set((now) => ({ ...now, isSaving: true, errors: {} }));
  try {
    const id = await send(state, values);
    dropDraft(state.model, state.id);
    remember(state.model, [{ ...shownRecord(state), ...plainOnly(state), id }]);
    expireModel(state.model);
    form.set((now) => ({
      ...now,
      id,
      edits: {},
      isSaving: false,
      isOutdated: false,
      isRestored: false,
      conflicts: {},
    }));
    announce(t('Saved'));
    return true;
  } catch (error) {
    fail(form, toClientError(error));
    return false;
  }
}

async function send({ model, id, stored }: FormState, values: Values): Promise<number> {
  if (id === 0) return (await rpcReceipt<number>({ model, method: 'create', args: [values] })).result;
  const base = Object.fromEntries(Object.keys(values).map((name) => [name, baseOf(stored[name])]));
  await rpcReceipt({ model, method: 'write', args: [[id], values], kwargs: { base } });
  return id;
}

/** For lists, the ids that were seen. */
function baseOf(value: unknown): unknown {
  return Array.isArray(value) ? storedLines(value).map((line) => line.id) : (value ?? null);
}

function fail(form: Form, error: ClientError): void {
  const conflicts = error.code === 'CONFLICT' ? (error.details.fields as Record<string, FieldConflict>) : {};
  const fields = Object.keys(error.fields).length > 0 ? error.fields : { '': [error.message] };
  form.set((now) => ({ ...now, isSaving: false, conflicts, errors: error.code === 'CONFLICT' ? {} : fields }));
  announce(error.message);
}

export function changedValues(state: FormState, fields: readonly ArchField[]): Values {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(state.edits)) {
    const field = byName.get(name);
    if (isLinesEdit(value)) {
      if (hasChanges(value)) values[name] = toCommands(value, state.stored[name], field?.type === 'one2many');
    } else if (!field?.readonly) values[name] = value;
  }
  return values;
}

function plainOnly({ edits, shown }: FormState): Values {
  const plain = Object.entries(edits).filter(([, value]) => !isLinesEdit(value));
  return { ...shown, ...Object.fromEntries(plain) };
}

/** Required by the field or by the view, visible, and empty. */
export function missingFields(state: FormState, arch: Arch): Record<string, readonly string[]> {
  const record = shownRecord(state);
  const byName = new Map(arch.fields.map((field) => [field.name, field]));
  const missing: Record<string, readonly string[]> = {};
  for (const node of fieldNodes(arch)) {
    const field = byName.get(node.name);
    if (!field || field.readonly || holds(node.readonly, record)) continue;
    const isRequired = field.required || holds(node.required, record);
    if (isRequired && isEmpty(valueIn(state, node.name))) {
      missing[node.name] = [t('{label} is required.', { label: node.label ?? field.label })];
    }
  }
  return missing;
}

function isEmpty(value: unknown): boolean {
  if (isLinesEdit(value)) return false;
  return value === null || value === undefined || value === '';
}

function fieldNodes(arch: Arch): readonly FieldNode[] {
  const { form, header } = arch;
  if (!form) return [];
  const top = [form.title, ...(form.subtitle ?? []), form.avatar, header.status].filter((node) => node !== undefined);
  return [...top, ...form.children.flatMap(nodesIn)];
}

function nodesIn(node: FormNode): readonly FieldNode[] {
  if (node.kind === 'field') return [node];
  if (node.kind === 'group') return node.children.flatMap(nodesIn);
  if (node.kind === 'notebook') return node.pages.flatMap((page) => page.children.flatMap(nodesIn));
  return [];
}
