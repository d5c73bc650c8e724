import type { Domain, FieldConflict, WorkspacePayload } from '@kontor/protocol';
import { createStore, type Store } from '../../state/store.ts';
import type { RecordValues, Values } from '../rpc.ts';
import { isCommands, withCommands } from './line-commands.ts';
import { isLinesEdit, shownLines } from './lines.ts';

/** A record on screen: the server's values, and the user's edits. */
export interface FormState {
  readonly model: string;
  /** 0: not saved yet. */
  readonly id: number;
  /** The server's last values, which edits are compared with and merged against. */
  readonly stored: RecordValues;
  readonly edits: Values;
  /** Names of relations and other keys that come with the edits. */
  readonly shown: Values;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The id of the failed request, for the administrator, if the error was not the user's. */
  readonly requestId: string;
  /** The domains of relations, as set by onchange. */
  readonly domains: Readonly<Record<string, Domain>>;
  readonly conflicts: Readonly<Record<string, FieldConflict>>;
  /** What someone else saved in fields that the user is editing; null if nobody did. */
  readonly theirs: RecordValues | null;
  /** The edits that are being sent; null: none. */
  readonly sending: Values | null;
  /** When it was last saved on this screen; empty before. */
  readonly savedAt: string;
  /** The user changed something, not only the server. */
  readonly isTouched: boolean;
  /** The edits came from a draft of an earlier visit. */
  readonly isRestored: boolean;
  /** A new record that may have been created although no response came; null: none. */
  readonly unanswered: Unanswered | null;
}

/** A new record that was sent. Its idempotency key ensures that it is created once, however often it is sent. */
export interface Unanswered {
  readonly key: string;
  readonly values: Values;
  /** The form's content at that time: later input is still to be saved. */
  readonly sent: Pick<FormState, 'edits' | 'shown'>;
  readonly at: string;
}

/** An open form: its state, and functions to change it. */
export type Form = Store<FormState>;

/** The state of a form for a record of a workspace. */
export function createForm(workspace: WorkspacePayload): Form {
  return createStore(freshState(workspace));
}

/** The state of an unedited form. */
export function freshState(workspace: WorkspacePayload): FormState {
  const [record] = workspace.records;
  return {
    model: workspace.model,
    id: workspace.recordId,
    stored: record ?? { id: 0 },
    edits: workspace.recordId === 0 ? startingEdits(firstValues(workspace)) : {},
    shown: {},
    errors: {},
    requestId: '',
    domains: {},
    conflicts: {},
    theirs: null,
    sending: null,
    savedAt: '',
    isTouched: false,
    isRestored: false,
    unanswered: null,
  };
}

/** The initial values of a new record. */
export function firstValues({ arch }: WorkspacePayload): Values {
  return arch.form?.values ?? {};
}

function startingEdits(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isCommands(value) ? withCommands(null, [], value) : (value as unknown),
    ]),
  );
}

const recordOf = new WeakMap<FormState, RecordValues>();

/** The record with edits applied; lists contain the current lines. */
export function shownRecord(state: FormState): RecordValues {
  const before = recordOf.get(state);
  if (before) return before;
  const record: Record<string, unknown> & { id: number } = { ...state.stored, ...state.shown, id: state.stored.id };
  for (const name of Object.keys(state.edits)) record[name] = valueIn(state, name);
  recordOf.set(state, record);
  return record;
}

const valuesOf = new WeakMap<object, readonly RecordValues[]>();

/** The current value of a field; the same object while nothing about it changes. */
export function valueIn({ stored, edits }: FormState, name: string): unknown {
  if (!Object.hasOwn(edits, name)) return stored[name];
  const edit = edits[name];
  if (!isLinesEdit(edit)) return edit;
  const lines = shownLines(stored[name], edit);
  const values = valuesOf.get(lines) ?? lines.map((line) => line.values);
  valuesOf.set(lines, values);
  return values;
}

/** Whether there are edits; a new record is not dirty until the user edits it. */
export function isDirty({ id, edits, isTouched }: FormState): boolean {
  return isTouched && (id === 0 || Object.keys(edits).length > 0);
}

/** Whether there are edits that are not being sent yet. */
export function needsSave(state: FormState): boolean {
  return isDirty(state) && state.edits !== state.sending;
}

/** Whether two field values are equal. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** Sets a value; the server's own value is not an edit. */
export function withEdit(state: FormState, name: string, value: unknown, shown: Values = {}): FormState {
  const { [name]: _old, ...others } = state.edits;
  const isBack = state.id !== 0 && !isLinesEdit(value) && isSameValue(value, state.stored[name]);
  return {
    ...state,
    edits: isBack ? others : { ...state.edits, [name]: value },
    shown: Object.keys(shown).length > 0 ? { ...state.shown, ...shown } : state.shown,
    errors: withoutError(state.errors, name),
    isTouched: true,
  };
}

function withoutError(errors: FormState['errors'], name: string): FormState['errors'] {
  if (!Object.hasOwn(errors, name)) return errors;
  const { [name]: _gone, ...others } = errors;
  return others;
}
