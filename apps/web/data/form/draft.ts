import type { WorkspacePayload } from '@kontor/protocol';
import { loadDraft, saveDraft } from '../drafts.ts';
import { type Form, isDirty } from './form-state.ts';
import { isLinesEdit, reserveKeys } from './lines.ts';

const pause = 300;

/** What was typed on an earlier visit is there again, against what the record was then. */
export function restoreDraft(form: Form, { model, recordId, arch }: WorkspacePayload): void {
  const draft = loadDraft(model, recordId);
  if (!draft) return;
  const known = new Set(arch.fields.map((field) => field.name));
  const edits = Object.fromEntries(Object.entries(draft.values).filter(([name]) => known.has(name)));
  if (Object.keys(edits).length === 0) return;
  for (const edit of Object.values(edits)) if (isLinesEdit(edit)) reserveKeys(edit);
  form.set((now) => ({
    ...now,
    edits: { ...now.edits, ...edits },
    shown: { ...now.shown, ...draft.shown },
    stored: { ...now.stored, ...draft.base, id: now.stored.id },
    isTouched: true,
    isRestored: true,
  }));
}

/** Keeps what is typed in this browser until it is saved, and warns before the tab is closed. */
export function keepDraft(form: Form): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    clearTimeout(timer);
    const { model, id, edits, shown, stored } = form.get();
    if (!isDirty(form.get())) return;
    const base = id === 0 ? {} : Object.fromEntries(Object.keys(edits).map((name) => [name, stored[name]]));
    saveDraft(model, id, { values: edits, shown, base });
  };
  const stop = form.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(keep, pause);
  });
  const warn = (event: BeforeUnloadEvent) => {
    keep();
    if (isDirty(form.get())) event.preventDefault();
  };
  window.addEventListener('beforeunload', warn);
  window.addEventListener('pagehide', keep);
  return () => {
    keep();
    stop();
    window.removeEventListener('beforeunload', warn);
    window.removeEventListener('pagehide', keep);
  };
}
