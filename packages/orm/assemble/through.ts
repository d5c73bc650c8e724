import { chooseOne, fieldTypes } from '@kontor/protocol';
import type { FieldSpec } from '../fields/spec.ts';
import { databaseName } from '../model/database-name.ts';
import type { Field } from '../model/model.ts';
import type { Drafts } from './draft.ts';

type Through = NonNullable<Field['through']>;

/** The table of a many2many: declared, shared with the field on the other side, or named after the field. A text result describes a mistake. */
export function throughOf(drafts: Drafts, model: string, name: string, spec: FieldSpec): Through | string {
  if (spec.through !== undefined) return spec.through;
  const relation = spec.relation as string;
  if (spec.inverse === undefined) return ownThrough(model, name, relation);
  const target = drafts.get(relation);
  const other = target?.fields.get(spec.inverse)?.value;
  if (other === undefined) {
    return `${relation} has no field "${spec.inverse}".${chooseOne(spec.inverse, target?.fields.keys() ?? [])}`;
  }
  if (!fieldTypes[other.type].isLinks || other.relation !== model) {
    return `its inverse ${relation}.${spec.inverse} is not a many2many to ${model}.`;
  }
  if (other.inverse !== undefined && other.inverse !== name) {
    return `its inverse ${relation}.${spec.inverse} names "${other.inverse}" as its own inverse.`;
  }
  // Both may name each other; then the first in the alphabet owns the table.
  if (other.inverse !== undefined && `${model}.${name}` <= `${relation}.${spec.inverse}`) {
    return ownThrough(model, name, relation);
  }
  const { table, own, other: far } = other.through ?? ownThrough(relation, spec.inverse, model);
  return { table, own: far, other: own };
}

/** The table of a many2many that neither declares one nor shares that of the other side. */
export function ownThrough(model: string, name: string, relation: string): Through {
  const table = tableName(model);
  return {
    table: databaseName(`${table}_${name}_rel`),
    own: databaseName(`${table}_id`),
    other: model === relation ? 'related_id' : databaseName(`${tableName(relation)}_id`),
  };
}

export function tableName(model: string): string {
  return model.replaceAll('.', '_');
}
