import type { Domain, WorkspacePayload } from '@kontor/protocol';
import type { RecordValues, Values } from '../rpc.ts';
import { createStore, type Store } from '../store.ts';

/** One side of a field that two people changed. */
export interface FieldConflict {
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** A record on screen: what the server has, and what the person made of it. */
export interface FormState {
  readonly model: string;
  /** 0: not saved yet. */
  readonly id: number;
  /** As the server last told it: what edits are compared with and merged against. */
  readonly stored: RecordValues;
  readonly edits: Values;
  /** Names of relations and other keys that come with the edits. */
  readonly shown: Values;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** What an onchange says that a relation may point at. */
  readonly domains: Readonly<Record<string, Domain>>;
  readonly conflicts: Readonly<Record<string, FieldConflict>>;
  readonly isSaving: boolean;
  /** Somebody else saved this record while the person was typing. */
  readonly isOutdated: boolean;
  /** The edits came from a draft of an earlier visit. */
  readonly isRestored: boolean;
}

export type Form = Store<FormState>;

export function createForm(workspace: WorkspacePayload): Form {
  return createStore(freshState(workspace));
}

export function freshState(workspace: WorkspacePayload): FormState {
  const [record] = workspace.records;
  const isNew = workspace.recordId === 0;
  return {
    model: workspace.model,
    id: workspace.recordId,
    stored: record ?? { id: 0 },
    edits: isNew ? { ...workspace.defaults } : {},
    shown: {},
    errors: {},
    domains: {},
    conflicts: {},
    isSaving: false,
    isOutdated: false,
    isRestored: false,
  };
}

/** The record as it looks with the edits on top. */
export function shownRecord({ stored, edits, shown }: FormState): RecordValues {
  return { ...stored, ...shown, ...edits, id: stored.id };
}

export function valueIn({ stored, edits }: FormState, name: string): unknown {
  return Object.hasOwn(edits, name) ? edits[name] : stored[name];
}

/** A new record is not dirty until somebody touches it. */
export function isDirty(state: FormState, defaults: Values): boolean {
  if (state.id !== 0) return Object.keys(state.edits).length > 0;
  return Object.entries(state.edits).some(([name, value]) => !isSameValue(value, defaults[name] ?? null));
}

export function isSameValue(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** Sets a value; one that is as the server has it is no edit. */
export function withEdit(state: FormState, name: string, value: unknown, shown: Values = {}): FormState {
  const { [name]: _old, ...others } = state.edits;
  const { [name]: _error, ...errors } = state.errors;
  const isBack = state.id !== 0 && isSameValue(value, state.stored[name]);
  return {
    ...state,
    edits: isBack ? others : { ...others, [name]: value },
    shown: { ...state.shown, ...shown },
    errors,
  };
}
