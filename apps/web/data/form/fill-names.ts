import { fieldType, type WorkspacePayload } from '@kontor/protocol';
import { type RecordValues, read } from '../rpc.ts';
import type { Form, FormState } from './form-state.ts';
import { isLinesEdit } from './lines.ts';

/** Names of records that defaults and onchange answers point at by id alone. */
export async function fillNames(form: Form, { arch }: WorkspacePayload): Promise<void> {
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
  await Promise.all(
    [...wanted].map(async ([model, ids]) => {
      const found = await read(model, [...ids], ['display_name']).catch(() => []);
      form.set((now) => withNames(now, arch.fields, model, found));
    }),
  );
}

function lacksName({ edits, shown, stored }: FormState, name: string): boolean {
  if (!Object.hasOwn(edits, name)) return false;
  return shown[`${name}.display_name`] === undefined && stored[name] !== edits[name];
}

function withNames(
  now: FormState,
  fields: WorkspacePayload['arch']['fields'],
  model: string,
  found: readonly RecordValues[],
): FormState {
  const names = new Map(found.map((one) => [one.id, one.display_name]));
  const shown: Record<string, unknown> = { ...now.shown };
  const edits: Record<string, unknown> = { ...now.edits };
  for (const { name, relation, type } of fields) {
    if (relation !== model) continue;
    const value = edits[name];
    if (fieldType(type).isToOne && names.has(value as number))
      shown[`${name}.display_name`] = names.get(value as number);
    if (!isLinesEdit(value)) continue;
    const linked = value.linked.map((line) => ({ ...line, display_name: line.display_name ?? names.get(line.id) }));
    edits[name] = { ...value, linked };
  }
  return { ...now, shown, edits };
}
