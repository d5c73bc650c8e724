import type { ComputeSpec } from '../model/behaviour.ts';
import { firstSteps, isAggregate } from '../model/depends.ts';
import type { Field, Model } from '../model/model.ts';
import { isSystemName } from '../model/names.ts';
import type { Problems } from './problems.ts';

/** The mistake in the declaration of an `editable` field, or null. */
export function editableFault(
  { spec, kind, related }: Field,
  fields: ReadonlyMap<string, Field>,
  compute: ComputeSpec | undefined,
): string | null {
  if (related !== null) return 'a related field cannot be editable.';
  if (spec.computed !== true || spec.stored !== true) return 'editable goes with computed: true and stored: true.';
  if (kind.isLines) return 'a one2many cannot be editable and computed: its lines have computes of their own.';
  if (compute === undefined) return null;
  if (isAggregate(compute)) return 'an editable compute gives its value by a function, not by an aggregate.';
  for (const name of firstSteps(compute)) {
    const field = fields.get(name);
    if (field !== undefined && !canBeSet(field)) {
      return `it is editable and depends on "${name}", which only the server sets: name what that is made from.`;
    }
  }
  return null;
}

function canBeSet(field: Field): boolean {
  if (isSystemName(field.name) || field.compute !== null || field.related !== null) return false;
  return field.column !== null || field.kind.isList;
}

/** The editable computes of each model, each after those it depends on. */
export function orderEditables(
  models: ReadonlyMap<string, Model>,
  problems: Problems,
): ReadonlyMap<string, readonly Field[]> {
  const byModel = new Map<string, readonly Field[]>();
  for (const model of models.values()) {
    const editables = [...model.fields.values()].filter((field) => field.isEditable);
    if (editables.length > 0) byModel.set(model.name, Object.freeze(inOrder(model, editables, problems)));
  }
  return byModel;
}

function inOrder(model: Model, editables: readonly Field[], problems: Problems): Field[] {
  const ordered: Field[] = [];
  const done = new Set<Field>();
  const visit = (field: Field, chain: readonly Field[]): void => {
    if (done.has(field)) return;
    const start = chain.indexOf(field);
    if (start >= 0) {
      const circle = [...chain.slice(start), field].map(({ name }) => name).join(' → ');
      done.add(field);
      problems.add({ module: field.module, model: model.name, field: field.name }, `it depends on itself: ${circle}.`);
      return;
    }
    for (const name of field.editableCompute === null ? [] : firstSteps(field.editableCompute)) {
      const source = model.fields.get(name);
      if (source?.isEditable) visit(source, [...chain, field]);
    }
    if (done.has(field)) return;
    done.add(field);
    ordered.push(field);
  };
  for (const field of editables) visit(field, []);
  return ordered;
}
