import { normalisersOf, readByNormalisers } from '../given/normalise.ts';
import { sameValue } from '../model/same-value.ts';
import { pathTree } from '../reading/guard-record.ts';
import { applyValues } from './apply-values.ts';
import { type Draft, type DraftNode, valueAt, wireValue } from './draft.ts';
import { fill, loadInto } from './fill.ts';

/** The form shows values as they will be stored. Returns the names of those that change. */
export async function normaliseDraft(
  draft: Draft,
  root: DraftNode,
  changed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { model } = root;
  const due = normalisersOf(model, [...changed]);
  if (due.length === 0) return [];
  const fields = readByNormalisers(model, due);
  if (root.id !== 0) await loadInto(draft, model, [root], fields);
  const before =
    root.id === 0
      ? null
      : { id: root.id, ...Object.fromEntries(fields.map(({ name }) => [name, wireValue(root.loaded.get(name))])) };
  const set: string[] = [];
  for (const { value } of due) {
    await fill(draft, [root], pathTree(fields.map(({ name }) => name)));
    const values = new Map(fields.map((field) => [field.name, wireValue(valueAt(draft, root, field))]));
    const isEdited = (name: string) => {
      const field = model.fields.get(name);
      if (!field || !root.given.has(name)) return false;
      return root.id === 0 || !sameValue(field, wireValue(root.loaded.get(name)), wireValue(root.given.get(name)));
    };
    const given = (name: string) => changed.has(name) || isEdited(name);
    const patch = value({ id: root.id, ...Object.fromEntries(values) }, { before, given }) ?? {};
    for (const [name, next] of Object.entries(patch)) {
      const field = model.fields.get(name);
      if (!field || next === undefined || sameValue(field, values.get(name), next)) continue;
      root.computed.delete(name);
      root.pinned.add(name);
      root.changed?.add(name);
      await applyValues(draft, root, { [name]: next });
      set.push(name);
    }
  }
  return set;
}
