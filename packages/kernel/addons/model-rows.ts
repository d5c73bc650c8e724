import type { Env, Field, Model, OrderTerm } from '@kontor/orm';
import { syncRows } from './sync-rows.ts';

/** Rows of sys.model and sys.field, as the registry of the env has them: the metadata that callers can read. */
export async function writeModelRows(env: Env): Promise<void> {
  const models = [...env.registry.models.values()];
  await syncRows(env, 'sys.model', ['name'], models.map(modelRow), { prune: true });
  const ids = new Map((await env.model('sys.model').searchRead([], ['name'])).map((row) => [row.name, row.id]));
  const fields = models.flatMap((model) =>
    [...model.fields.values()].map((field) => ({ model_id: ids.get(model.name), ...fieldRow(field) })),
  );
  await syncRows(env, 'sys.field', ['model', 'name'], fields, { prune: true });
}

function modelRow(model: Model) {
  return {
    name: model.name,
    label: model.label,
    module: model.module,
    table_name: model.table,
    default_order: orderText(model.order) || null,
  };
}

function orderText(terms: readonly OrderTerm[]): string {
  return terms.map((term) => `${term.descending ? '-' : ''}${term.path.join('.')}`).join(', ');
}

function fieldRow({ spec, ...field }: Field) {
  return {
    model: field.model,
    name: field.name,
    label: field.label,
    help: spec.help ?? null,
    type: spec.type,
    relation: spec.relation ?? null,
    inverse: spec.inverse ?? null,
    required: field.required,
    readonly: field.isReadonly,
    stored: field.isStored,
    computed: field.compute !== null || field.related !== null,
    unique: spec.unique ?? false,
    tracking: spec.tracking ?? false,
    size: spec.size ?? null,
    selection: field.selection ? [...field.selection] : null,
    groups: spec.groups ? [...spec.groups] : null,
    module: field.module,
  };
}
