import type { IndexSpec } from '@kontor/database';
import type { Field, Model, Registry, Unique } from '../model/model.ts';
import { tableSpecs } from './table-specs.ts';
import { whereText } from './where-text.ts';

/** The field that a database constraint protects, for the error message. */
export interface ConstraintDescription {
  readonly model: string;
  readonly field: string;
  readonly label: string;
  /** The message of the model's author. */
  readonly message?: string;
}

type Name = string | null | undefined;
type Describe = (constraint: Name, table: Name, column: Name) => ConstraintDescription | null;

const known = new WeakMap<Registry, Describe>();

/** Finds the field of a constraint, or of a column if the database names no constraint. */
export function describeConstraints(registry: Registry): Describe {
  let describe = known.get(registry);
  if (!describe) {
    describe = makeDescribe(registry);
    known.set(registry, describe);
  }
  return describe;
}

function makeDescribe(registry: Registry): Describe {
  const byConstraint = new Map<string, ConstraintDescription>();
  const byColumn = new Map<string, ConstraintDescription>();
  const models = new Map([...registry.models.values()].map((model) => [model.table, model]));
  for (const model of models.values()) {
    for (const field of model.fields.values()) {
      if (field.column) byColumn.set(`${model.table}.${field.column}`, description(model, field));
      if (field.through) byColumn.set(`${field.through.table}.${field.through.other}`, description(model, field));
    }
  }
  for (const table of tableSpecs(registry)) {
    const model = models.get(table.name);
    for (const key of table.foreignKeys) {
      const found = byColumn.get(`${table.name}.${key.column}`);
      if (found) byConstraint.set(`${table.name}.${key.name}`, found);
    }
    for (const { constraint, range, message } of model?.excludes ?? []) {
      const found = byColumn.get(`${table.name}.${range[0]}`);
      if (found) byConstraint.set(`${table.name}.${constraint}`, { ...found, message });
    }
    for (const index of model ? table.indexes.filter((candidate) => candidate.unique) : []) {
      const found = uniqueDescription(model as Model, index, byColumn);
      if (found) byConstraint.set(`${table.name}.${index.name}`, found);
    }
  }
  return (constraint, table, column) =>
    byConstraint.get(`${table}.${constraint}`) ?? byColumn.get(`${table}.${column}`) ?? null;
}

function uniqueDescription(
  model: Model,
  index: IndexSpec,
  byColumn: ReadonlyMap<string, ConstraintDescription>,
): ConstraintDescription | undefined {
  const names = index.columns.map((column) => column.replace(/^"|"$/g, ''));
  const first = byColumn.get(`${model.table}.${names[0]}`);
  const unique = model.uniques.find((each) => sameFields(model, each.fields, names) && sameWhere(model, each, index));
  return first && unique?.message !== undefined ? { ...first, message: unique.message } : first;
}

function sameFields(model: Model, fields: readonly string[], columns: readonly string[]): boolean {
  return fields.map((name) => model.fields.get(name)?.column).join() === columns.join();
}

function sameWhere(model: Model, { where }: Unique, index: IndexSpec): boolean {
  return (where && whereText(where, (name) => model.fields.get(name))) === index.where;
}

function description(model: Model, field: Field): ConstraintDescription {
  return { model: model.name, field: field.name, label: field.label };
}
