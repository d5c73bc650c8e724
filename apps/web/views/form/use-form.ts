import type { WorkspacePayload } from '@kontor/protocol';
import { useEffect, useMemo, useRef } from 'react';
import { dropDraft, loadDraft, saveDraft } from '../../data/drafts.ts';
import { createForm, type Form, freshState, isDirty, isSameValue, withEdit } from '../../data/form/form-state.ts';
import { createOnchange } from '../../data/form/onchange.ts';
import { saveForm } from '../../data/form/save-form.ts';
import type { Values } from '../../data/rpc.ts';
import { useStorePart } from '../../data/store.ts';

export interface OpenForm {
  readonly form: Form;
  readonly workspace: WorkspacePayload;
  set(name: string, value: unknown, shown?: Values): void;
  save(): Promise<boolean>;
  discard(): void;
}

const draftPause = 300;

/** The record of a workspace, open for editing: edits, onchange, drafts and saving in one place. */
export function useForm(workspace: WorkspacePayload): OpenForm {
  const latest = useRef(workspace);
  latest.current = workspace;
  const open = useMemo(() => openForm(workspace, latest), [workspace.model, workspace.recordId]);
  useEffect(() => adopt(open.form, workspace), [open, workspace]);
  useEffect(() => keepDraft(open.form, latest), [open]);
  useEffect(() => () => open.close(), [open]);
  return open;
}

export function useIsDirty({ form, workspace }: OpenForm): boolean {
  return useStorePart(form, (state) => isDirty(state, workspace.defaults));
}

function openForm(workspace: WorkspacePayload, latest: { current: WorkspacePayload }): OpenForm & { close(): void } {
  const form = createForm(workspace);
  const draft = loadDraft(workspace.model, workspace.recordId);
  if (draft) form.set((now) => ({ ...now, edits: { ...now.edits, ...draft.values }, isRestored: true }));
  const onchange = createOnchange(form, workspace);
  return {
    form,
    workspace,
    set(name, value, shown) {
      form.set((now) => withEdit(now, name, value, shown));
      onchange.changed(name);
    },
    save: () => saveForm(form, latest.current),
    discard() {
      dropDraft(workspace.model, workspace.recordId);
      form.set(freshState(latest.current));
    },
    close: () => onchange.close(),
  };
}

/** Newer data replace what nobody touched; under a person's hands they only raise a flag. */
function adopt(form: Form, workspace: WorkspacePayload): void {
  const [record] = workspace.records;
  const state = form.get();
  if (!record || state.id !== record.id) return;
  const touched = Object.keys(state.edits).filter((name) => !isSameValue(state.stored[name], record[name]));
  if (touched.length > 0) form.set((now) => ({ ...now, isOutdated: true }));
  else form.set((now) => ({ ...now, stored: record }));
}

function keepDraft(form: Form, latest: { current: WorkspacePayload }): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    clearTimeout(timer);
    const state = form.get();
    if (isDirty(state, latest.current.defaults)) {
      saveDraft(state.model, state.id, { values: state.edits, base: state.stored });
    }
  };
  const stop = form.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(keep, draftPause);
  });
  const warn = (event: BeforeUnloadEvent) => {
    keep();
    if (isDirty(form.get(), latest.current.defaults)) event.preventDefault();
  };
  window.addEventListener('beforeunload', warn);
  return () => {
    keep();
    stop();
    window.removeEventListener('beforeunload', warn);
  };
}
