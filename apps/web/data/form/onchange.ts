import type { Arch, OnchangeAnswer, WorkspacePayload } from '@kontor/protocol';
import { busyTimer, whileBusy } from '../../state/idle.ts';
import { rpc, type Values } from '../rpc.ts';
import { showToast } from '../toasts.ts';
import { lineCommands } from './changed-values.ts';
import { fieldNodes } from './field-nodes.ts';
import { type Form, type FormState, isSameValue } from './form-state.ts';
import { invalidMessage, typedText, unmatchedName } from './invalid-values.ts';
import { isCommands, withCommands } from './line-commands.ts';
import { isLinesEdit, type LinesEdit } from './lines.ts';

interface Onchange {
  changed(name: string): void;
  /** Loads the defaults of a new line; existing values stay. */
  begin(): void;
  /** Sends a pending onchange at once and waits for its answer, so that nothing is saved before it. */
  flush(): Promise<void>;
  close(): void;
}

const pause = 150;

/** Runs onchange on the server. Typing never waits for the answer, and the answer does not overwrite later input. */
export function createOnchange(
  form: Form,
  workspace: WorkspacePayload,
  parentValues: () => Values = () => ({}),
): Onchange {
  const asking = new Set<string>(workspace.arch.fields.filter((field) => field.onchange).map((field) => field.name));
  const waiting = new Set<string>();
  /** Fields that were set while an onchange was pending: the answer must not overwrite them. */
  const own = new Set<string>();
  let cancel: (() => void) | null = null;
  let round = 0;
  let asked: Promise<void> = Promise.resolve();

  async function ask(): Promise<void> {
    const names = [...waiting];
    const kept = [...Object.keys(parentValues()), ...own];
    waiting.clear();
    own.clear();
    const mine = ++round;
    const sent = form.get();
    const kwargs = sent.id === 0 ? {} : { id: sent.id };
    const args = [{ ...draftValues(sent, workspace), ...parentValues() }, names];
    const answer = await rpc<OnchangeAnswer>({ model: sent.model, method: 'onchange', args, kwargs });
    if (mine !== round || form.get().id !== sent.id) return;
    form.set((now) => withAnswer(now, sent, { ...answer, value: without(answer.value, kept) }, workspace.arch));
    showWarning(answer);
    await fillNames(form, workspace);
  }

  // A failed onchange changes nothing: saving reports the same problem.
  const start = () => {
    cancel = null;
    asked = ask().catch(() => {});
  };

  return {
    begin() {
      asked = ask().catch(() => {});
    },
    flush() {
      if (cancel) {
        cancel();
        start();
      }
      return asked;
    },
    changed(name) {
      if (waiting.size > 0 && !waiting.has(name)) own.add(name);
      if (!asking.has(name)) return;
      waiting.add(name);
      cancel?.();
      cancel = busyTimer(start, pause);
    },
    close() {
      cancel?.();
      round++;
    },
  };
}

function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

export function showWarning({ warning }: OnchangeAnswer): void {
  if (warning) showToast({ kind: 'info', title: warning.title, body: warning.message });
}

/** The unsaved values, as the server expects them. */
export function draftValues(state: FormState, { arch }: WorkspacePayload): Values {
  const values: Record<string, unknown> = {};
  for (const { name } of arch.fields) {
    if (name === 'id' || name === 'display_name' || !Object.hasOwn(state.edits, name)) continue;
    const value = state.edits[name];
    if (typedText(value) !== null || unmatchedName(value) !== null) continue;
    values[name] = isLinesEdit(value) ? lineCommands(state, arch, name, validLines(arch, name, value)) : value;
  }
  return values;
}

/** What was pasted or typed into a line and is no value is not sent; what follows from the rest is still asked. */
function validLines(arch: Arch, name: string, edit: LinesEdit): LinesEdit {
  const isTyped = typedIn(arch, name);
  return mapLines(edit, (values) => filtered(values, (entry) => !isTyped(entry)));
}

/** An answer replaces nothing of it either. */
function withTyped(arch: Arch, name: string, after: LinesEdit, before: unknown): LinesEdit {
  if (!isLinesEdit(before)) return after;
  const isTyped = typedIn(arch, name);
  const typed = new Map([
    ...Object.entries(before.changed).map(([key, values]) => [Number(key), filtered(values, isTyped)] as const),
    ...before.created.map(({ key, values }) => [key, filtered(values, isTyped)] as const),
  ]);
  if (![...typed.values()].some((values) => Object.keys(values).length > 0)) return after;
  return mapLines(after, (values, key) => ({ ...values, ...typed.get(key) }));
}

function typedIn(arch: Arch, name: string): (entry: [string, unknown]) => boolean {
  const fields = new Map(
    fieldNodes(arch)
      .find((node) => node.name === name)
      ?.fields?.map((one) => [one.name, one]),
  );
  return ([each, value]) => {
    const field = fields.get(each);
    return field !== undefined && invalidMessage(field, value) !== null;
  };
}

function filtered(values: Values, isWanted: (entry: [string, unknown]) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(isWanted));
}

function mapLines(edit: LinesEdit, change: (values: Values, key: number) => Values): LinesEdit {
  const changed = Object.entries(edit.changed).map(([key, values]) => [key, change(values, Number(key))] as const);
  const created = edit.created.map((line) => ({ ...line, values: { ...change(line.values, line.key), id: line.key } }));
  return { ...edit, changed: Object.fromEntries(changed), created };
}
function withAnswer(now: FormState, sent: FormState, answer: OnchangeAnswer, arch: Arch): FormState {
  const edits: Record<string, unknown> = { ...now.edits };
  const shown: Record<string, unknown> = { ...now.shown };
  for (const [name, value] of Object.entries(answer.value)) {
    if (now.edits[name] !== sent.edits[name]) continue;
    if (isCommands(value))
      edits[name] = withTyped(arch, name, withCommands(now.edits[name], now.stored[name], value), now.edits[name]);
    else if (isSameValue(value, plainValueIn(now, name))) continue;
    else {
      if (now.id !== 0 && isSameValue(value, now.stored[name])) delete edits[name];
      else edits[name] = value;
      // The name belongs to the previously chosen record.
      delete shown[`${name}.display_name`];
    }
  }
  return { ...now, edits, shown, domains: { ...now.domains, ...answer.domain } };
}

function plainValueIn({ edits, stored }: FormState, name: string): unknown {
  return Object.hasOwn(edits, name) ? edits[name] : stored[name];
}

/**
 * Loads the names of records that the form references by id only. A form without edits has none, and does not need this
 * code.
 */
export async function fillNames(form: Form, workspace: WorkspacePayload): Promise<void> {
  if (Object.keys(form.get().edits).length === 0) return;
  const { readNames } = await whileBusy(import('./fill-names.ts'));
  await readNames(form, workspace);
}
