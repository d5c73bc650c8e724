import type { WorkspacePayload } from '@kontor/protocol';
import { bootstrap } from '../../state/bootstrap.ts';
import type { Values } from '../rpc.ts';
import { type Form, isDirty, isSameValue, type Unanswered } from './form-state.ts';
import { isLinesEdit, reserveKeys } from './lines.ts';

const pause = 300;

/** Restores the unsaved values of an earlier visit, with the stored values of that time as their base. */
export function restoreDraft(form: Form, { model, recordId, arch }: WorkspacePayload): void {
  const draft = loadDraft(model, recordId);
  if (!draft) return;
  const known = new Set(arch.fields.map((field) => field.name));
  const edits = Object.fromEntries(Object.entries(draft.values).filter(([name]) => known.has(name)));
  if (Object.keys(edits).length === 0) return;
  for (const edit of Object.values(edits)) if (isLinesEdit(edit)) reserveKeys(edit);
  const unanswered = stillKnown(draft.unanswered);
  const sent = unanswered?.sent.edits ?? {};
  // Values not changed since they were sent must be the same object: that is how a save knows what is left to save.
  for (const [name, value] of Object.entries(sent)) if (isSameValue(edits[name], value)) edits[name] = value;
  form.set((now) => ({
    ...now,
    unanswered,
    edits: { ...now.edits, ...edits },
    shown: { ...now.shown, ...draft.shown },
    stored: { ...now.stored, ...draft.base, id: now.stored.id },
    isTouched: true,
    isRestored: true,
  }));
}

/** The server keeps idempotency keys for a day; after that it would create the record a second time. */
const knownForMs = 23 * 3_600_000;

function stillKnown(unanswered: Unanswered | null | undefined): Unanswered | null {
  return unanswered && Date.now() - Date.parse(unanswered.at) < knownForMs ? unanswered : null;
}

/** Stores unsaved values in this browser while the user types, and warns before the tab is closed. */
export function autosaveDraft(form: Form): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    clearTimeout(timer);
    const { model, id, edits, shown, stored, unanswered } = form.get();
    if (!isDirty(form.get())) return;
    const base = id === 0 ? {} : Object.fromEntries(Object.keys(edits).map((name) => [name, stored[name]]));
    saveDraft(model, id, { values: edits, shown, base, unanswered });
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

/** Unsaved values of one user, kept in this browser. */
export interface Draft {
  readonly values: Values;
  /** The stored record when the user began to type. */
  readonly base: Values;
  /** Names of the chosen relations, by path. */
  readonly shown?: Values;
  /** A new record that was sent and may have been created. */
  readonly unanswered?: Unanswered | null;
  readonly at: string;
}

function saveDraft(model: string, id: number, draft: Omit<Draft, 'at'>): void {
  try {
    localStorage.setItem(keyOf(model, id), JSON.stringify({ ...draft, at: new Date().toISOString() }));
  } catch {
    // Typing must not fail if storage is full or blocked.
  }
}

function loadDraft(model: string, id: number): Draft | null {
  try {
    const text = localStorage.getItem(keyOf(model, id));
    return text ? (JSON.parse(text) as Draft) : null;
  } catch {
    return null;
  }
}

/** Removes the draft of a record that was saved or discarded. */
export function dropDraft(model: string, id: number): void {
  try {
    localStorage.removeItem(keyOf(model, id));
  } catch {
    // As above.
  }
}

/** Id 0 is the new record of the model, which belongs to the company in which it was begun. */
function keyOf(model: string, id: number): string {
  const { user, activeCompanyId } = bootstrap();
  return `kontor:draft:${user.id}:${model}:${id || `new:${activeCompanyId}`}`;
}
