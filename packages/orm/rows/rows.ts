import { and, type Cell, ident, join, type Sql, sql, translateDatabaseError } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import { sameValue } from '../model/same-value.ts';
import { describeConstraints } from '../schema/describe-constraints.ts';

interface Insert extends InsertAsks {
  readonly fields: readonly Field[];
  readonly rows: readonly ReadonlyMap<Field, unknown>[];
  /** Values of additional fields that are the same in every row. */
  readonly shared: ReadonlyMap<Field, unknown>;
}

interface InsertAsks {
  /** A condition on the new row, under the alias `r`. */
  readonly verdict: Sql;
  /** For a single row: it is inserted only if these conditions hold. */
  readonly conditions: readonly Sql[];
}

interface Inserted {
  readonly id: number;
  readonly verdict: boolean;
}

/** One INSERT for all rows; results are in row order. */
export async function insertNew(
  env: Env,
  model: Model,
  rows: readonly ReadonlyMap<Field, unknown>[],
  asks: InsertAsks,
): Promise<Inserted[]> {
  const fields = new Set<Field>();
  for (const columns of rows) for (const field of columns.keys()) fields.add(field);
  // Creator and time are the same for all, unless records are restored.
  const shared = stamp(env, model, ['create_date', 'create_uid', 'write_date', 'write_uid']);
  const given = [...shared].filter(([field]) => fields.has(field));
  for (const [field] of given) shared.delete(field);
  const complete = given.length === 0 ? rows : rows.map((columns) => new Map([...given, ...columns]));
  return insertRows(env, model, { fields: [...fields], rows: complete, shared, ...asks });
}

async function insertRows(env: Env, model: Model, insert: Insert): Promise<Inserted[]> {
  const into = ident(model.table);
  const columns = join([...insert.shared.keys(), ...insert.fields].map(({ column }) => ident(column as string)));
  const source = insert.rows.length === 1 ? oneRow(insert) : manyRows(insert);
  const cells = await translated(env, () =>
    env.db.arrays(sql`insert into ${into} as r (${columns}) ${source} returning r.id, (${insert.verdict}) is true`),
  );
  return cells.map(([id, verdict]: readonly Cell[]) => ({ id: id as number, verdict: verdict === true }));
}

function oneRow({ fields, rows: [row], shared, conditions }: Insert): Sql {
  const own = fields.map((field) => sql`${toParameter(field, row?.get(field))}`);
  const values = join([...[...shared].map(([field, value]) => sql`${toParameter(field, value)}`), ...own]);
  return conditions.length === 0 ? sql`values (${values})` : sql`select ${values} where ${and(conditions)}`;
}

function manyRows({ fields, rows, shared }: Insert): Sql {
  const arrays = fields.map((field) => columnArray(field, rows, cellOf));
  const columns = fields.map((field) => ident(field.column as string));
  const values = [...shared].map(([field, value]) => sql`${toParameter(field, value)}::${columnType(field)}`);
  if (columns.length === 0) return sql`select ${join(values)} from generate_series(1, ${rows.length}::int4)`;
  return sql`
    select ${join([...values, ...columns])}
    from unnest(${join(arrays)}) with ordinality as given(${join([...columns, ident('row number')])})
    order by "row number"`;
}

/** The value of a column that only other rows have: empty, which for a boolean is false. */
function cellOf(field: Field, row: ReadonlyMap<Field, unknown>): unknown {
  if (row.has(field)) return row.get(field);
  return field.kind.absent;
}

interface RowUpdate {
  readonly id: number;
  /** A value for every field of the update. */
  readonly values: ReadonlyMap<Field, unknown>;
}

/**
 * One UPDATE for all rows, whether they get the same values or each its own. `verdict` is evaluated for each row
 * afterwards, under the alias `r`; returns the ids for which it does not hold.
 */
export async function updateRows(
  env: Env,
  model: Model,
  fields: readonly Field[],
  rows: readonly RowUpdate[],
  verdict: Sql = sql`true`,
): Promise<number[]> {
  if (rows.length === 0 || fields.length === 0) return [];
  const change = isShared(fields, rows) ? assignShared(fields, rows) : assignPerRow(fields, rows);
  const answers = await translated(env, () =>
    env.db.arrays(sql`update ${ident(model.table)} as r set ${change} returning r.id, (${verdict}) is true`),
  );
  return answers.flatMap(([id, holds]) => (holds === true ? [] : [id as number]));
}

function isShared(fields: readonly Field[], rows: readonly RowUpdate[]): boolean {
  const [first, ...others] = rows;
  return others.every(({ values }) =>
    fields.every((field) => sameValue(field, values.get(field), first?.values.get(field))),
  );
}

function assignShared(fields: readonly Field[], rows: readonly RowUpdate[]): Sql {
  const values = rows[0]?.values;
  const set = assign(fields, (field) => sql`${toParameter(field, values?.get(field))}`);
  return sql`${set} where r.id = any(${rows.map((row) => row.id)}::int4[])`;
}

function assignPerRow(fields: readonly Field[], rows: readonly RowUpdate[]): Sql {
  const columns = join(fields.map((field) => ident(field.column as string)));
  const arrays = fields.map((field) => columnArray(field, rows, (_, { values }) => values.get(field)));
  const ids = rows.map((row) => row.id);
  return sql`${assign(fields, (field) => ident('given', field.column as string))}
    from unnest(${ids}::int4[], ${join(arrays)}) as given("row id", ${columns}) where r.id = given."row id"`;
}

function assign(fields: readonly Field[], value: (field: Field) => Sql): Sql {
  return join(fields.map((field) => sql`${ident(field.column as string)} = ${value(field)}`));
}

/** Types for parameters, by the column's type without its size; the column itself enforces the size. */
const parameterTypes: ReadonlyMap<string, Sql> = new Map([
  ['text', sql`text`],
  ['varchar', sql`text`],
  ['character varying', sql`text`],
  ['int4', sql`int4`],
  ['integer', sql`int4`],
  ['int8', sql`int8`],
  ['bigint', sql`int8`],
  ['float8', sql`float8`],
  ['double precision', sql`float8`],
  ['numeric', sql`numeric`],
  ['bool', sql`boolean`],
  ['boolean', sql`boolean`],
  ['date', sql`date`],
  ['timestamptz', sql`timestamptz`],
  ['bytea', sql`bytea`],
  ['jsonb', sql`jsonb`],
]);

function columnType(field: Field): Sql {
  const type = field.kind.column(field);
  const known = type === null ? undefined : parameterTypes.get(type.replace(/\(.*$/, '').trim());
  if (!known) throw new Error(`${field.model}.${field.name}: no parameter type for the column type ${type}.`);
  return known;
}

/** One column of many rows as a single parameter. */
function columnArray<Row>(field: Field, rows: readonly Row[], cell: (field: Field, row: Row) => unknown): Sql {
  return sql`${rows.map((row) => toParameter(field, cell(field, row)))}::${columnType(field)}[]`;
}

export function toParameter(field: Field, value: unknown): unknown {
  return value === null || value === undefined ? null : field.kind.toParameter(value);
}

/** Runs statements; a violated constraint becomes a validation error at its field. */
export async function translated<T>(env: Env, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translateDatabaseError(error, describeConstraints(env.registry)) ?? error;
  }
}

type StampName = 'create_date' | 'create_uid' | 'write_date' | 'write_uid';

/** User and time for the system columns. The server (uid 0) is stored as null. */
export function stamp(env: Env, model: Model, names: readonly StampName[]): Map<Field, unknown> {
  const stamps = new Map<Field, unknown>();
  for (const name of names) {
    const field = model.fields.get(name);
    if (field) stamps.set(field, name.endsWith('_date') ? env.now.toISOString() : env.uid || null);
  }
  return stamps;
}
