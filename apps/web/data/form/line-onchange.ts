import type { ArchField, WorkspacePayload } from '@kontor/protocol';
import { rpc, type Values } from '../rpc.ts';
import type { Form } from './form-state.ts';
import { changeLine, isLinesEdit, plainValues, shownLines } from './lines.ts';
import { draftValues, type OnchangeAnswer, showWarning } from './onchange.ts';

interface LineChange {
  readonly form: Form;
  readonly workspace: WorkspacePayload;
  /** The x2many, and what is known of its lines. */
  readonly field: ArchField;
  readonly fields: readonly ArchField[];
  readonly key: number;
  readonly names: readonly string[];
}

/** Asks the line's own model what follows from a change in it; the record around it goes along. */
export async function askLine(change: LineChange): Promise<void> {
  const { form, workspace, field, fields, key } = change;
  const names = change.names.filter((name) => fields.find((one) => one.name === name)?.onchange);
  if (names.length === 0 || !field.relation) return;
  const before = lineAt(form, field.name, key);
  if (!before) return;
  const answer = await rpc<OnchangeAnswer>({
    model: field.relation,
    method: 'onchange',
    args: [{ ...plainValues(writable(before, fields)), ...around(form, workspace, field) }, names],
    kwargs: key > 0 ? { id: key } : {},
  });
  const now = lineAt(form, field.name, key);
  if (!now) return;
  const news = Object.entries(answer.value).filter(
    ([name, value]) =>
      name !== field.inverse && !isList(fields, name) && now[name] === before[name] && now[name] !== value,
  );
  showWarning(answer);
  applyLine(change, await withNames(Object.fromEntries(news), fields));
}

/** The defaults of a new line, where the person has not typed something already. */
export async function askNewLine(change: Omit<LineChange, 'names'>): Promise<void> {
  const { form, workspace, field, fields, key } = change;
  if (!field.relation) return;
  const answer = await rpc<OnchangeAnswer>({
    model: field.relation,
    method: 'onchange',
    args: [around(form, workspace, field), []],
  });
  const known = new Set(fields.map((one) => one.name));
  const news = Object.entries(answer.value).filter(
    ([name]) => known.has(name) && name !== field.inverse && !isList(fields, name),
  );
  const named = await withNames(Object.fromEntries(news), fields);
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
  const known = new Set(fields.filter((field) => !isList(fields, field.name)).map((field) => field.name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
}

function isList(fields: readonly ArchField[], name: string): boolean {
  const type = fields.find((field) => field.name === name)?.type;
  return type === 'one2many' || type === 'many2many';
}

/** What is typed around the line, without the lines themselves. */
function around(form: Form, workspace: WorkspacePayload, field: ArchField): Values {
  if (!field.inverse) return {};
  const state = form.get();
  const { [field.name]: _lines, ...typed } = draftValues(state, workspace);
  return { [field.inverse]: state.id === 0 ? typed : { ...typed, id: state.id } };
}

async function withNames(values: Values, fields: readonly ArchField[]): Promise<Values> {
  const named: Record<string, unknown> = { ...values };
  await Promise.all(
    fields.map(async ({ name, type, relation }) => {
      const id = values[name];
      if (type !== 'many2one' || !relation || !Object.hasOwn(values, name)) return;
      if (typeof id !== 'number') named[`${name}.display_name`] = null;
      else {
        const call = { model: relation, method: 'read', args: [[id], ['display_name']] };
        const [found] = await rpc<readonly Values[]>(call).catch(() => []);
        named[`${name}.display_name`] = found?.display_name ?? null;
      }
    }),
  );
  return named;
}
