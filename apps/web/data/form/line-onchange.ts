import { type ArchField, fieldType, type OnchangeAnswer, type WorkspacePayload } from '@kontor/protocol';
import { type RecordValues, read, rpc, type Values } from '../rpc.ts';
import { type Form, isSameValue } from './form-state.ts';
import { isCommands, recordsAfter } from './line-commands.ts';
import { changeLine, isLinesEdit, isToMany, plainValues, shownLines } from './lines.ts';
import { draftValues, showWarning } from './onchange.ts';

interface LineChange {
  readonly form: Form;
  readonly workspace: WorkspacePayload;
  /** The x2many, and what is known of its lines. */
  readonly field: ArchField;
  readonly fields: readonly ArchField[];
  readonly key: number;
  /** The fields that were changed. Those with an onchange are sent. */
  readonly names: readonly string[];
}

/** Runs the onchange of the line's own model. The unsaved values of the record around it are sent along. */
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
  // Several fields set together, as by a paste: the answer must not replace them.
  const own = new Set(change.names.length > 1 ? change.names : []);
  const news = Object.entries(answer.value).filter(
    ([name, value]) =>
      name !== field.inverse && !own.has(name) && isSameValue(now[name], before[name]) && now[name] !== value,
  );
  showWarning(answer);
  applyLine(change, await withNames(Object.fromEntries(news), fields, now));
}

/** The defaults of a new line, where the person has not typed something already. */
export async function loadLineDefaults(change: Omit<LineChange, 'names'>): Promise<void> {
  const { form, workspace, field, fields, key } = change;
  if (!field.relation) return;
  const answer = await rpc<OnchangeAnswer>({
    model: field.relation,
    method: 'onchange',
    args: [parentValues(form, workspace, field), []],
  });
  const known = new Set(fields.map((one) => one.name));
  const news = Object.entries(answer.value).filter(([name]) => known.has(name) && name !== field.inverse);
  const named = await withNames(Object.fromEntries(news), fields, {});
  const now = lineAt(form, field.name, key);
  if (!now) return;
  const open = Object.entries(named).filter(([name]) => now[name.split('.')[0] as string] === undefined);
  applyLine(change, Object.fromEntries(open));
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
  const known = new Set(fields.filter((field) => !isToMany(field)).map((field) => field.name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
}

/** The unsaved values of the record around a line, without its lines, as the line's onchange takes them. */
export function parentValues(form: Form, workspace: WorkspacePayload, field: ArchField): Values {
  if (!field.inverse) return {};
  const state = form.get();
  const { [field.name]: _lines, ...typed } = draftValues(state, workspace);
  return { [field.inverse]: state.id === 0 ? typed : { ...typed, id: state.id } };
}

/** Names of the records that an answer points at: the screen shows them, not numbers. */
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

/** The records of a list within a line after commands on it; null where they would make or change some. */
function linesAfter(commands: unknown, before: unknown): readonly RecordValues[] | null {
  if (!isCommands(commands)) return Array.isArray(commands) && commands.length === 0 ? [] : null;
  return recordsAfter(before, commands);
}
