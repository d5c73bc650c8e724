import type { Domain, WorkspacePayload } from '@kontor/protocol';
import { busyTimer } from '../idle.ts';
import { rpc, type Values } from '../rpc.ts';
import { showToast } from '../toasts.ts';
import { type Form, type FormState, shownRecord } from './form-state.ts';
import {
  addLine,
  changeLine,
  isLinesEdit,
  type LineCommand,
  type LinesEdit,
  noLinesEdit,
  toCommands,
} from './lines.ts';

interface Answer {
  readonly value: Values;
  readonly warning?: { readonly title: string; readonly message: string };
  readonly domain?: Readonly<Record<string, Domain>>;
}

/** Asks the server what follows from a change. Typing never waits for it; what the person touched since stays theirs. */
export function createOnchange(form: Form, workspace: WorkspacePayload) {
  const asking = new Set<string>(workspace.arch.fields.filter((field) => field.onchange).map((field) => field.name));
  const waiting = new Set<string>();
  let cancel: (() => void) | null = null;
  let round = 0;

  async function ask(): Promise<void> {
    const names = [...waiting];
    waiting.clear();
    const mine = ++round;
    const sent = form.get();
    const kwargs = sent.id === 0 ? {} : { id: sent.id };
    const answer = await rpc<Answer>({
      model: sent.model,
      method: 'onchange',
      args: [wireValues(sent, workspace), names],
      kwargs,
    });
    if (mine !== round) return;
    form.set((now) => withAnswer(now, sent, answer));
    if (answer.warning) showToast({ kind: 'info', title: answer.warning.title, body: answer.warning.message });
  }

  return {
    changed(name: string, delay = 150): void {
      if (!asking.has(name)) return;
      waiting.add(name);
      cancel?.();
      // A failed question changes nothing: the server says the same at saving.
      cancel = busyTimer(() => void ask().catch(() => {}), delay);
    },
    close(): void {
      cancel?.();
      round++;
    },
  };
}

function wireValues(state: FormState, workspace: WorkspacePayload): Values {
  const types = new Map(workspace.arch.fields.map((field) => [field.name, field.type]));
  const record = shownRecord(state);
  const values: Record<string, unknown> = {};
  for (const [name, type] of types) {
    const value = record[name];
    if (isLinesEdit(value)) values[name] = toCommands(value, state.stored[name], type === 'one2many');
    else if (Object.hasOwn(state.edits, name) && name !== 'id') values[name] = value;
  }
  return values;
}

function withAnswer(now: FormState, sent: FormState, answer: Answer): FormState {
  const edits: Record<string, unknown> = { ...now.edits };
  const shown: Record<string, unknown> = { ...now.shown };
  for (const [name, value] of Object.entries(answer.value)) {
    if (now.edits[name] !== sent.edits[name]) continue;
    if (name.includes('.')) shown[name] = value;
    else if (isCommands(value)) edits[name] = withLines(now.edits[name], value);
    else edits[name] = value;
  }
  return { ...now, edits, shown, domains: { ...now.domains, ...answer.domain } };
}

function isCommands(value: unknown): value is readonly LineCommand[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => Array.isArray(item) && typeof item[0] === 'string')
  );
}

/** The answer repeats the commands it got, in their order, with what was worked out. */
function withLines(edit: unknown, commands: readonly LineCommand[]): LinesEdit {
  let lines = isLinesEdit(edit) ? edit : noLinesEdit;
  const created = lines.created.map((line) => line.key);
  let at = 0;
  for (const command of commands) {
    if (command[0] === 'update') lines = changeLine(lines, command[1], command[2]);
    else if (command[0] === 'create') {
      const key = created[at++];
      lines = key === undefined ? addLine(lines, command[1]) : changeLine(lines, key, command[1]);
    }
  }
  return lines;
}
