import { type ArchField, fieldType, type OnchangeAnswer, type WorkspacePayload } from '@kontor/protocol';
import { type RecordValues, read, rpc, type Values } from '../rpc.ts';
import { type Form, isSameValue } from './form-state.ts';
import { invalidMessage } from './invalid-values.ts';
import { isCommands, recordsAfter } from './line-commands.ts';
import { changeLine, isLinesEdit, isToMany, plainValues, shownLines } from './lines.ts';
import { draftValues, showWarning } from './onchange.ts';

interface LineChange {
  readonly form: Form;
  readonly workspace: WorkspacePayload;
  /** The x2many field, and the fields of its lines. */
  readonly field: ArchField;
  readonly fields: readonly ArchField[];
  readonly key: number;
  /** The changed fields. Those with an onchange are sent. */
  readonly names: readonly string[];
}

/** Runs the onchange of the line's own model. Unsaved values of the parent record are sent too. */
export async function runLineOnchange(change: LineChange): Promise<void> {
  const { form, workspace, field, fields, key } = change;
  const names = change.names.filter((name) => fields.find((one) => one.name === name)?.onchange);
  if (names.length === 0 || !field.relation) return;
  const before = lineAt(form, field.name, key);
  if (!before) return;
  const answer = await rpc<OnchangeAnswer>({
    model: field.relation,
    method: 'onchange',
    args: [{ ...plainValues(writable(before, fields)), ...parentValues(form, workspace, field) }, names],
    kwargs: key > 0 ? { id: key } : {},
  });
  const now = lineAt(form, field.name, key);
  if (!now) return;
  // Several fields set together, as by a paste: the answer must not overwrite them.
  const own = new Set(change.names.length > 1 ? change.names : []);
  const isTyped = (name: string) => {
    const typed = fields.find((one) => one.name === name);
    return typed !== undefined && invalidMessage(typed, now[name]) !== null;
  };
  const news = Object.entries(answer.value).filter(
    ([name, value]) =>
      name !== field.inverse &&
      !own.has(name) &&
      !isTyped(name) &&
      isSameValue(now[name], before[name]) &&
      now[name] !== value,
  );
  showWarning(answer);
  applyLine(change, await withNames(Object.fromEntries(news), fields, now));
}

/** Loads the defaults of a new line, for fields the user has not filled in. */
export async function loadLineDefaults(change: Omit<LineChange, 'names'>): Promise<void> {
  const { form, field, key } = change;
  const named = await readLineDefaults(change);
  const now = lineAt(form, field.name, key);
  if (!now) return;
  const open = Object.entries(named).filter(([name]) => now[name.split('.')[0] as string] === undefined);
  applyLine(change, Object.fromEntries(open));
}

/** What a new line begins with, with the names of the records in it. */
export async function readLineDefaults(change: Omit<LineChange, 'names' | 'key'>): Promise<Values> {
  const { form, workspace, field, fields } = change;
  if (!field.relation) return {};
  const answer = await rpc<OnchangeAnswer>({
    model: field.relation,
    method: 'onchange',
    args: [parentValues(form, workspace, field), []],
  });
  const known = new Set(fields.map((one) => one.name));
  const news = Object.entries(answer.value).filter(([name]) => known.has(name) && name !== field.inverse);
  return withNames(Object.fromEntries(news), fields, {});
}

function applyLine({ form, field, key }: Pick<LineChange, 'form' | 'field' | 'key'>, values: Values): void {
  if (Object.keys(values).length === 0) return;
  form.set((state) => {
    const edit = state.edits[field.name];
    if (!isLinesEdit(edit)) return state;
    return { ...state, edits: { ...state.edits, [field.name]: changeLine(edit, key, values) } };
  });
}

function lineAt(form: Form, name: string, key: number): Values | undefined {
  const { edits, stored } = form.get();
  const edit = edits[name];
  return isLinesEdit(edit) ? shownLines(stored[name], edit).find((line) => line.key === key)?.values : undefined;
}

function writable(values: Values, fields: readonly ArchField[]): Values {
  const known = new Map(fields.filter((field) => !isToMany(field)).map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const field = known.get(name);
      // What was pasted or typed and is no value stays on screen alone.
      return field !== undefined && invalidMessage(field, value) === null;
    }),
  );
}

/** The unsaved values of the parent record, without its lines, for the line's onchange. */
export function parentValues(form: Form, workspace: WorkspacePayload, field: ArchField): Values {
  if (!field.inverse) return {};
  const state = form.get();
  const { [field.name]: _lines, ...typed } = draftValues(state, workspace);
  return { [field.inverse]: state.id === 0 ? typed : { ...typed, id: state.id } };
}

/** Adds the names of the records that an answer references. */
async function withNames(values: Values, fields: readonly ArchField[], line: Values): Promise<Values> {
  const named: Record<string, unknown> = { ...values };
  await Promise.all(
    fields.map(async (field) => {
      const { name, type, relation } = field;
      if (!relation || !Object.hasOwn(values, name)) return;
      if (isToMany(field)) {
        const lines = linesAfter(values[name], line[name]);
        const wanted = lines?.filter((one) => one.display_name === undefined).map((one) => one.id) ?? [];
        const found = new Map((await names(relation, wanted)).map((one) => [one.id, one]));
        named[name] = lines?.map((one) => found.get(one.id) ?? one);
        if (lines === null) delete named[name];
      } else if (fieldType(type).isToOne) {
        const id = values[name];
        const [found] = typeof id === 'number' ? await names(relation, [id]) : [];
        named[`${name}.display_name`] = found?.display_name ?? null;
      }
    }),
  );
  return named;
}

function names(model: string, ids: readonly number[]): Promise<readonly RecordValues[]> {
  return ids.length === 0 ? Promise.resolve([]) : read(model, ids, ['display_name']).catch(() => []);
}

/** The records of a nested list after applying commands; null if the commands would create or change records. */
function linesAfter(commands: unknown, before: unknown): readonly RecordValues[] | null {
  if (!isCommands(commands)) return Array.isArray(commands) && commands.length === 0 ? [] : null;
  return recordsAfter(before, commands);
}
