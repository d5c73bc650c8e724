import { chooseOne } from '@kontor/protocol';
import type { AcyclicSpec } from '../model/definition.ts';
import type { Acyclic, Field, Model } from '../model/model.ts';
import type { Draft } from './draft.ts';
import { type FieldTable, isUnresolved } from './path.ts';
import type { Problems } from './problems.ts';
import { tableName } from './through.ts';

type Fields = ReadonlyMap<string, Field>;

/**
 * The relations that must not form a cycle: those declared `acyclic`, and a `parent_id` that refers to its own model.
 */
export function buildAcyclic(draft: Draft, fields: Fields): Acyclic[] {
  const parent = fields.get('parent_id');
  const isTree = parent?.kind.isToOne && parent.spec.relation === draft.name && parent.isStored;
  const all = new Map<string, Omit<AcyclicSpec, 'message'> & { readonly message: string | null }>();
  if (isTree) all.set('parent_id', { over: ['parent_id'], message: null });
  for (const [name, { value }] of draft.acyclic) all.set(name, value);
  return [...all].map(([name, { over, message, field = over[0] ?? 'id' }]) => {
    const relations = over.flatMap((each) => fields.get(each) ?? []);
    return Object.freeze({
      name,
      on: Object.freeze([...new Set(relations.flatMap((relation) => changedBy(relation, fields)))]),
      steps: Object.freeze(relations.flatMap((relation) => stepOf(draft, relation, fields) ?? [])),
      field,
      message,
    });
  });
}

/** A one2many changes with its many2one, a many2many from both sides. */
function changedBy({ name, spec, kind, through }: Field, fields: Fields): readonly string[] {
  if (kind.isLines) return [spec.inverse as string];
  if (through === null) return [name];
  return [...fields.values()].filter((field) => field.through?.table === through.table).map((field) => field.name);
}

function stepOf(draft: Draft, { spec, column, through }: Field, fields: Fields): Acyclic['steps'][number] | null {
  const table = tableName(draft.name);
  if (through) return { table: through.table, from: through.own, to: through.other };
  if (column !== null) return { table, from: 'id', to: column };
  const inverse = fields.get(spec.inverse ?? '')?.column;
  return inverse ? { table, from: inverse, to: 'id' } : null;
}

export function checkAcyclic(draft: Draft, model: Model, table: FieldTable, problems: Problems): void {
  for (const [name, { module, value }] of draft.acyclic) {
    const report = (message: string) => problems.add({ module, model: model.name }, `acyclic "${name}" ${message}`);
    if (value.over.length === 0) report('names no relation in "over".');
    for (const each of value.over) {
      const field = model.fields.get(each);
      if (field === undefined)
        report(`is over "${each}": there is no such field.${chooseOne(each, model.fields.keys())}`);
      else if (isUnresolved(field, table)) continue;
      else if (field.spec.relation !== model.name) report(`is over "${each}", which leads to no ${model.name}.`);
      else if (stepOf(draft, field, model.fields) === null) report(`is over "${each}", which is not stored.`);
    }
    if (value.field !== undefined && !model.fields.has(value.field)) {
      report(`is shown at "${value.field}": there is no such field.${chooseOne(value.field, model.fields.keys())}`);
    }
  }
}
