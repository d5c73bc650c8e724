import { type Queryable, sql } from '@kontor/database';
import { type Env, type Field, groupBy, type Model, type OrderTerm, type Registry } from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { syncRows } from './sync-rows.ts';

const modelFields = {
  name: fields.char({ required: true, unique: true, size: 128, label: 'Technical name' }),
  label: fields.char({ required: true, size: 200 }),
  title: fields.char({ computed: true, help: 'The label in the language of the reader.' }),
  module: fields.char({ required: true, size: 64 }),
  table_name: fields.char({ label: 'Table', size: 63 }),
  default_order: fields.char({ size: 500 }),
  field_ids: fields.one2many('sys.field', 'model_id', { label: 'Fields' }),
};
export interface SysModel extends FieldsOf<typeof modelFields> {}

const fieldFields = {
  model_id: fields.many2one('sys.model', { required: true, ondelete: 'cascade' }),
  model: fields.char({ required: true, size: 128, index: true }),
  name: fields.char({ required: true, size: 128, label: 'Technical name' }),
  label: fields.char({ required: true, size: 200 }),
  title: fields.char({ computed: true, help: 'The label in the language of the reader.' }),
  help: fields.text({}),
  type: fields.char({ required: true, size: 32 }),
  relation: fields.char({ size: 128 }),
  inverse: fields.char({ size: 128 }),
  required: fields.boolean({}),
  readonly: fields.boolean({}),
  stored: fields.boolean({}),
  computed: fields.boolean({}),
  unique: fields.boolean({}),
  tracking: fields.boolean({}),
  size: fields.integer({}),
  selection: fields.json({}),
  choices: fields.json({ computed: true, help: 'The selection in the language of the reader.' }),
  groups: fields.json({}),
  module: fields.char({ required: true, size: 64 }),
};
export interface SysField extends FieldsOf<typeof fieldFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.model': SysModel;
    'sys.field': SysField;
  }
}

export const sysModel = defineModel('sys.model', {
  label: 'Model',
  noCompany: 'Models are the same for every company.',
  order: 'name',
  displayName: '{label} ({name})',
  quiet: true,
  fields: modelFields,
  computes: {
    title: {
      depends: ['name', 'label'],
      value: ({ name, label }, { registry }) => registry.models.get(name ?? '')?.label ?? label ?? '',
    },
  },
});

export const sysField = defineModel('sys.field', {
  label: 'Field',
  noCompany: 'Models are the same for every company.',
  order: 'model, name',
  displayName: '{label} ({model}.{name})',
  quiet: true,
  fields: fieldFields,
  computes: {
    title: {
      depends: ['model', 'name', 'label'],
      value: ({ model, name, label }, { registry }) =>
        registry.models.get(model ?? '')?.fields.get(name ?? '')?.label ?? label ?? '',
    },
    choices: {
      depends: ['model', 'name', 'selection'],
      value: ({ model, name, selection }, { registry }) => {
        const said = registry.models.get(model ?? '')?.fields.get(name ?? '')?.selection;
        return said ? [...said] : selection;
      },
    },
  },
  uniques: { model_and_name: { fields: ['model', 'name'] } },
});

/** Rows of sys.model and sys.field, from the registry of the env: the metadata that callers can read. */
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

/** A module whose code has fields without columns in the database. */
export interface OutdatedModule {
  readonly module: string;
  /** As `model.field`. */
  readonly fields: readonly string[];
}

/** Finds modules whose upgrade was forgotten: reading their new fields would fail. */
export async function outdatedModules(db: Queryable, registry: Registry): Promise<readonly OutdatedModule[]> {
  const stored = [...registry.models.values()].flatMap((model) =>
    [...model.fields.values()]
      .filter((field) => field.isStored && field.column)
      .map((field) => ({ table: model.table, column: field.column as string, field })),
  );
  const rows = await db.query<{ at: number }>(sql`
    select at::int4 from unnest(${stored.map(({ table }) => table)}::text[], ${stored.map(({ column }) => column)}::text[])
      with ordinality as wanted (tab, col, at)
    where not exists (
      select from pg_attribute
      where attrelid = to_regclass(quote_ident(tab)) and attname = col and not attisdropped
    )
    order by at`);
  const missing = rows.map(({ at }) => (stored[at - 1] as (typeof stored)[number]).field);
  return [...groupBy(missing, (field) => field.module)].map(([module, fields]) => ({
    module,
    fields: fields.map((field) => `${field.model}.${field.name}`),
  }));
}
