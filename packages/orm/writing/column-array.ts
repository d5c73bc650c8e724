import { type Sql, sql } from '@kontor/database';
import type { Field } from '../model/model.ts';

/** Array types for `unnest`, by the column's type without its size; the column itself enforces the size. */
const arrayTypes: ReadonlyMap<string, Sql> = new Map([
  ['text', sql`text[]`],
  ['varchar', sql`text[]`],
  ['character varying', sql`text[]`],
  ['int4', sql`int4[]`],
  ['integer', sql`int4[]`],
  ['int8', sql`int8[]`],
  ['bigint', sql`int8[]`],
  ['float8', sql`float8[]`],
  ['double precision', sql`float8[]`],
  ['numeric', sql`numeric[]`],
  ['bool', sql`boolean[]`],
  ['boolean', sql`boolean[]`],
  ['date', sql`date[]`],
  ['timestamptz', sql`timestamptz[]`],
  ['bytea', sql`bytea[]`],
  ['jsonb', sql`jsonb[]`],
]);

/** One column of many rows as a single parameter. */
export function columnArray(field: Field, values: readonly unknown[]): Sql {
  const type = field.kind.column(field);
  const array = type === null ? undefined : arrayTypes.get(type.replace(/\(.*$/, '').trim());
  if (!array) throw new Error(`${field.model}.${field.name}: no array type for the column type ${type}.`);
  return sql`${values.map((value) => toParameter(field, value))}::${array}`;
}

export function toParameter(field: Field, value: unknown): unknown {
  return value === null || value === undefined ? null : field.kind.toParameter(value);
}
