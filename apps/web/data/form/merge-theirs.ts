import type { FieldConflict } from '@kontor/protocol';
import { keepEqual } from '../../state/keep-equal.ts';
import type { RecordValues } from '../rpc.ts';
import { type Form, type FormState, isSameValue, valueIn } from './form-state.ts';

/** Takes over newer data. Fields that the user is changing keep their value until the user has reviewed the change. */
export function adoptRecord(form: Form, record: RecordValues): void {
  const state = form.get();
  if (state.id !== record.id || state.sending) return;
  const contested = contestedFields(state, record);
  const fresh: Record<string, unknown> & { id: number } = { ...state.stored, ...record };
  for (const name of contested) fresh[name] = state.stored[name];
  const stored = keepEqual(state.stored, fresh);
  if (contested.length === 0 && stored === state.stored) return;
  form.set((now) => ({ ...now, stored, theirs: contested.length > 0 ? record : null }));
}

/** Fields that the user is editing and someone else has changed to another value. */
function contestedFields(state: FormState, record: RecordValues): readonly string[] {
  return Object.keys(state.edits).filter(
    (name) =>
      Object.hasOwn(record, name) &&
      Object.hasOwn(state.stored, name) &&
      !isSameValue(state.stored[name], record[name]) &&
      !isSameValue(valueIn(state, name), record[name]),
  );
}

/** Opens the picker for changes by someone else. */
export function reviewTheirs(form: Form): void {
  form.set((now) => {
    const { theirs } = now;
    if (!theirs) return now;
    const conflicts: Record<string, FieldConflict> = {};
    for (const name of contestedFields(now, theirs)) {
      conflicts[name] = { base: now.stored[name], mine: valueIn(now, name), theirs: theirs[name] };
    }
    return { ...now, conflicts };
  });
}

/** Applies the choices: `mine` are the fields the user keeps; the others take their value. */
export function settleConflicts(form: Form, mine: ReadonlySet<string>): void {
  form.set((now) => {
    const stored: Record<string, unknown> & { id: number } = { ...now.stored };
    const edits: Record<string, unknown> = { ...now.edits };
    const shown: Record<string, unknown> = { ...now.shown };
    for (const [name, conflict] of Object.entries(now.conflicts)) {
      stored[name] = now.theirs && Object.hasOwn(now.theirs, name) ? now.theirs[name] : conflict.theirs;
      const label = `${name}.display_name`;
      if (now.theirs && Object.hasOwn(now.theirs, label)) stored[label] = now.theirs[label];
      if (mine.has(name)) continue;
      delete edits[name];
      delete shown[label];
    }
    return { ...now, stored, edits, shown, conflicts: {}, theirs: null };
  });
}
