import { type Arch, type ArchField, fieldType, type WorkspacePayload } from '@kontor/protocol';
import { type RecordValues, read, type Values } from '../rpc.ts';
import { fieldNodes } from './field-nodes.ts';
import type { Form, FormState } from './form-state.ts';
import { isLinesEdit, storedLines } from './lines.ts';

/** Loads the names of records that defaults and onchange answers reference by id only. */
export async function readNames(form: Form, { arch }: WorkspacePayload): Promise<void> {
  const wanted = new Map<string, Set<number>>();
  const want = (model: string | undefined, id: unknown) => {
    if (model && typeof id === 'number' && id > 0) wanted.set(model, (wanted.get(model) ?? new Set()).add(id));
  };
  for (const { name, relation, type } of arch.fields) {
    if (!relation) continue;
    if (fieldType(type).isToOne && lacksName(form.get(), name)) want(relation, form.get().edits[name]);
    const edit = form.get().edits[name];
    if (isLinesEdit(edit)) for (const line of edit.linked) if (line.display_name === undefined) want(relation, line.id);
  }
  for (const { name, fields } of fieldNodes(arch)) {
    const edit = form.get().edits[name];
    if (!fields || !isLinesEdit(edit)) continue;
    for (const values of [...Object.values(edit.changed), ...edit.created.map((line) => line.values)])
      for (const field of fields) for (const id of unnamed(field, values)) want(field.relation, id);
  }
  await Promise.all(
    [...wanted].map(async ([model, ids]) => {
      const found = await read(model, [...ids], ['display_name']).catch(() => []);
      form.set((now) => withNames(now, arch, model, found));
    }),
  );
}

function lacksName({ edits, shown, stored }: FormState, name: string): boolean {
  if (!Object.hasOwn(edits, name)) return false;
  return shown[`${name}.display_name`] === undefined && stored[name] !== edits[name];
}

function withNames(now: FormState, arch: Arch, model: string, found: readonly RecordValues[]): FormState {
  const names = new Map(found.map((one) => [one.id, one.display_name]));
  const shown: Record<string, unknown> = { ...now.shown };
  const edits: Record<string, unknown> = { ...now.edits };
  for (const { name, relation, type } of arch.fields) {
    if (relation !== model) continue;
    const value = edits[name];
    if (fieldType(type).isToOne && names.has(value as number))
      shown[`${name}.display_name`] = names.get(value as number);
    if (!isLinesEdit(value)) continue;
    const linked = value.linked.map((line) => ({ ...line, display_name: line.display_name ?? names.get(line.id) }));
    edits[name] = { ...value, linked };
  }
  for (const { name, fields = [] } of fieldNodes(arch)) {
    const own = fields.filter((field) => field.relation === model);
    const edit = edits[name];
    if (own.length === 0 || !isLinesEdit(edit)) continue;
    const changed = Object.entries(edit.changed).map(([key, values]) => [key, namedLine(own, values, names)]);
    const created = edit.created.map((line) => ({ ...line, values: namedLine(own, line.values, names) }));
    edits[name] = { ...edit, changed: Object.fromEntries(changed), created };
  }
  return { ...now, shown, edits };
}

type Names = ReadonlyMap<number, unknown>;

/** The ids in a field of a line whose names are not loaded yet. */
function unnamed({ name, type }: ArchField, values: Values): readonly number[] {
  const value = values[name];
  if (Array.isArray(value))
    return storedLines(value).flatMap((one) => (one.display_name === undefined && one.id > 0 ? [one.id] : []));
  const isBare = fieldType(type).isToOne && typeof value === 'number' && values[`${name}.display_name`] === undefined;
  return isBare ? [value] : [];
}

function namedLine<T extends Values>(fields: readonly ArchField[], values: T, names: Names): T {
  const news: Record<string, unknown> = {};
  for (const field of fields) {
    const { name } = field;
    if (!unnamed(field, values).some((id) => names.has(id))) continue;
    const value = values[name];
    if (!Array.isArray(value)) news[`${name}.display_name`] = names.get(value as number);
    else news[name] = storedLines(value).map((one) => ({ display_name: names.get(one.id), ...one }));
  }
  return Object.keys(news).length === 0 ? values : { ...values, ...news };
}
