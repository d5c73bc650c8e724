import {
  type CheckSpec,
  type ColumnSpec,
  compile,
  type ForeignKeySpec,
  type IndexSpec,
  ident,
  literal,
  type TableSpec,
} from '@kontor/database';
import type { Exclude } from '../model/behaviour.ts';
import { databaseName, hash } from '../model/database-name.ts';
import type { Field, Model, OrderTerm, Registry } from '../model/model.ts';
import { wordsColumn } from '../model/translated.ts';
import { overlapText } from './overlap-text.ts';
import { whereText } from './where-text.ts';

/** Columns that change with every write, or only matter when a user is deleted: an index would cost more than it saves. */
const unindexed = new Set(['create_uid', 'write_uid']);

/**
 * The tables that the models declare. With `modules`, only the tables that these modules define, extend or refer to;
 * each of them completely.
 */
export function tableSpecs(registry: Registry, modules?: Iterable<string>): TableSpec[] {
  const models = [...registry.models.values()];
  const all = distinctIndexNames([...models.map((model) => modelTable(registry, model)), ...throughTables(registry)]);
  if (modules === undefined) return all;
  const wanted = new Set(modules);
  const touched = models.filter((model) => isTouched(registry, model, wanted));
  const names = new Set(touched.flatMap((model) => [model.table, ...throughNames(model)]));
  return all.filter((table) => names.has(table.name));
}

function isTouched(registry: Registry, model: Model, modules: ReadonlySet<string>): boolean {
  if (modules.has(model.module)) return true;
  return [...model.fields.values()].some((field) => {
    if (modules.has(field.module)) return true;
    const related = registry.models.get(field.spec.relation ?? '');
    return related !== undefined && modules.has(related.module);
  });
}

function throughNames(model: Model): string[] {
  return [...model.fields.values()].flatMap((field) => (field.through ? [field.through.table] : []));
}

function modelTable(registry: Registry, model: Model): TableSpec {
  const stored = [...model.fields.values()].filter((field) => field.isStored && field.column && field.name !== 'id');
  return {
    name: model.table,
    hasId: true,
    columns: [...stored.flatMap((field) => columnSpec(field) ?? []), ...stored.flatMap(wordsSpec)],
    foreignKeys: stored.flatMap((field) => foreignKey(registry, model, field) ?? []),
    indexes: modelIndexes(model, stored),
    checks: [],
    ...(model.excludes.length > 0 ? { exclusions: model.excludes.map((exclude) => exclusion(model, exclude)) } : {}),
  };
}

function exclusion(model: Model, exclude: Exclude): CheckSpec {
  const { same, range, where } = overlapText(model, exclude);
  const elements = [...same.map((text) => `(${text}) with =`), `(${range}) with &&`].join(', ');
  // Checked when the operation ends: the statements of a call may overlap in between.
  return { name: exclude.constraint, expression: `(${elements}) where (${where}) deferrable initially deferred` };
}

function columnSpec(field: Field): ColumnSpec | null {
  const type = field.kind.column(field);
  if (type === null) return null;
  const notNull = field.required || field.kind.absent !== null;
  const constant = columnDefault(field);
  const backfill = notNull && constant === undefined && !field.spec.unique ? field.kind.backfill(field) : null;
  return {
    name: field.column as string,
    type,
    notNull,
    ...(constant !== undefined && { default: constant }),
    ...(backfill !== null && { backfill }),
  };
}

function wordsSpec(field: Field): readonly ColumnSpec[] {
  const name = wordsColumn(field);
  return name === null ? [] : [{ name, type: 'jsonb', notNull: false }];
}

function foreignKeyName(model: Model, field: Field): string {
  return databaseName(model.table, field.column as string, 'fk');
}

function foreignKey(registry: Registry, model: Model, field: Field): ForeignKeySpec | null {
  const related = field.kind.isToOne && registry.models.get(field.spec.relation ?? '');
  if (!related || field.spec.key === false) return null;
  return {
    name: foreignKeyName(model, field),
    column: field.column as string,
    table: related.table,
    onDelete: field.spec.ondelete ?? (field.required ? 'restrict' : 'set null'),
  };
}

function modelIndexes(model: Model, stored: readonly Field[]): IndexSpec[] {
  const indexes: IndexSpec[] = [];
  // An index on several columns also finds rows by its first column, so a separate index on it would only cost.
  const found = new Set(model.uniques.filter(({ where }) => !where).map(({ fields }) => fields[0]));
  for (const field of stored) {
    const column = field.column as string;
    if (field.spec.unique || found.has(field.name)) continue;
    if (field.spec.index || (field.kind.isToOne && !unindexed.has(field.name))) {
      indexes.push({ name: databaseName(model.table, column, 'idx'), columns: [quotedName(column)], unique: false });
    }
  }
  for (const unique of model.uniques) {
    const columns = unique.fields.map((name) => quotedName(columnOf(model, name)));
    const where = unique.where && whereText(unique.where, (name) => model.fields.get(name));
    indexes.push({ name: databaseName(unique.index), columns, unique: true, ...(where ? { where } : {}) });
  }
  for (const terms of model.indexes) indexes.push(compositeIndex(model, terms));
  return indexes;
}

function compositeIndex(model: Model, terms: readonly OrderTerm[]): IndexSpec {
  const parts = terms.map((term) => {
    const column = columnOf(model, term.path.join('.'));
    return term.descending
      ? { name: `${column}_desc`, text: `${quotedName(column)} desc` }
      : { name: column, text: quotedName(column) };
  });
  const name = databaseName(model.table, ...parts.map((part) => part.name), 'idx');
  return { name, columns: parts.map((part) => part.text), unique: false };
}

function columnOf(model: Model, name: string): string {
  const field = model.fields.get(name);
  if (!field?.isStored || !field.column) {
    throw new Error(`${model.name}: an index needs stored fields, and "${name}" is not one (module ${model.module}).`);
  }
  return field.column;
}

function quotedName(column: string): string {
  return compile(ident(column)).text;
}

/**
 * Index names are shared by the whole schema: `sale_order.line_state` and `sale_order_line.state` need the same one. Both then
 * contain a hash of their table, so that the install order does not matter.
 */
function distinctIndexNames(tables: readonly TableSpec[]): TableSpec[] {
  const seen = new Map<string, number>();
  for (const index of tables.flatMap((table) => table.indexes)) seen.set(index.name, (seen.get(index.name) ?? 0) + 1);
  const isShared = (index: IndexSpec) => (seen.get(index.name) as number) > 1;
  return tables.map((table) =>
    table.indexes.some(isShared)
      ? { ...table, indexes: table.indexes.map((index) => (isShared(index) ? ownName(table, index) : index)) }
      : table,
  );
}

function ownName(table: TableSpec, index: IndexSpec): IndexSpec {
  const suffix = index.unique ? 'unique' : 'idx';
  const stem = index.name.endsWith(`_${suffix}`) ? index.name.slice(0, -suffix.length - 1) : index.name;
  return { ...index, name: databaseName(stem, hash(table.name), suffix) };
}

/** SQL text of the default if the author gave a constant; undefined if it is computed per record. */
function columnDefault(field: Field): string | undefined {
  if (field.name === 'create_date' || field.name === 'write_date') return 'now()';
  const given = field.spec.default;
  if (field.kind.isBoolean) return String(given === true);
  if (given === undefined || given === null || typeof given === 'function' || isSource(given)) return undefined;
  const parameter = field.kind.toParameter(field.kind.cast(given, field));
  return constant(parameter);
}

function isSource(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'source' in value;
}

function constant(parameter: unknown): string | undefined {
  if (typeof parameter === 'number') return Number.isFinite(parameter) ? String(parameter) : undefined;
  if (typeof parameter === 'boolean') return String(parameter);
  return typeof parameter === 'string' ? quotedText(parameter) : undefined;
}

function quotedText(text: string): string {
  return compile(literal(text)).text.trim();
}

/** The join tables of many2many fields. Two fields that share one table are its two sides. */
function throughTables(registry: Registry): TableSpec[] {
  const tables = new Map<string, TableSpec>();
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      if (field.through && !tables.has(field.through.table)) {
        tables.set(field.through.table, throughTable(registry, model, field, field.through));
      }
    }
  }
  return [...tables.values()];
}

function throughTable(
  registry: Registry,
  model: Model,
  field: Field,
  through: NonNullable<Field['through']>,
): TableSpec {
  const { table, own, other } = through;
  const related = registry.models.get(field.spec.relation ?? '');
  const key = (column: string, target: string): ForeignKeySpec => ({
    name: databaseName(table, column, 'fk'),
    column,
    table: target,
    onDelete: 'cascade',
  });
  // Sorted, so that the table is the same whichever side is processed first.
  const sides = [own, other].sort() as [string, string];
  const reverse = [sides[1], sides[0]];
  return {
    name: table,
    hasId: false,
    columns: sides.map((name) => ({ name, type: 'integer', notNull: true })),
    primaryKey: sides,
    foreignKeys: [key(own, model.table), ...(related ? [key(other, related.table)] : [])],
    indexes: [
      {
        name: databaseName(table, ...reverse, 'idx'),
        columns: reverse.map(quotedName),
        unique: false,
      },
    ],
    checks: [],
  };
}
