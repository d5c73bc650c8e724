import { ident, join, type Sql, sql, trustedSql } from '@kontor/database';
import { type Text, text } from '@kontor/protocol';
import type { Exclude } from '../model/behaviour.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { overlapText } from '../schema/overlap-text.ts';

/** A record and another whose range overlaps with its own. */
export type Overlap = readonly [id: number, other: number];

/** The given records that overlap with another, each with one of these. */
export async function overlapsOf(
  env: Env,
  model: Model,
  exclude: Exclude,
  ids: readonly number[],
): Promise<readonly Overlap[]> {
  const rows = comparedRows(model, exclude, ident(model.table));
  const found = await env.db.arrays(sql`
    select distinct on (a.id) a.id, b.id from (${rows}) a join (${rows}) b on b.id <> a.id and ${isInTheWay(exclude)}
    where a.id = any(${ids}::int4[]) order by a.id, b.id`);
  return found as unknown as readonly Overlap[];
}

/** A stored record that one with these values would overlap with; null if there is none. */
export async function overlapWith(
  env: Env,
  model: Model,
  exclude: Exclude,
  record: { readonly id: number; readonly values: ReadonlyMap<Field, unknown> },
): Promise<number | null> {
  const cells = [...record.values].map(
    ([field, value]) =>
      sql`${field.kind.toParameter(value)}::${trustedSql(field.kind.column(field) as string)} as ${ident(field.column as string)}`,
  );
  const draft = sql`(select 0 as id, ${join(cells)}) draft`;
  const [found] = await env.db.arrays(sql`
    select b.id from (${comparedRows(model, exclude, draft)}) a
    join (${comparedRows(model, exclude, ident(model.table))}) b on b.id <> ${record.id} and ${isInTheWay(exclude)}
    order by b.id limit 1`);
  return found ? (found[0] as number) : null;
}

function comparedRows(model: Model, exclude: Exclude, from: Sql): Sql {
  const { same, range, where } = overlapText(model, exclude);
  const columns = [
    ident('id'),
    ...same.map((each, at) => sql`${trustedSql(each)} as ${ident(`same_${at}`)}`),
    sql`${trustedSql(range)} as covered`,
  ];
  return sql`select ${join(columns)} from ${from} where ${trustedSql(where)}`;
}

function isInTheWay({ same = [] }: Exclude): Sql {
  const equal = same.map((_, at) => sql`${ident('b', `same_${at}`)} = ${ident('a', `same_${at}`)}`);
  return join([...equal, sql`b.covered && a.covered`], sql` and `);
}

/** The error message, with the names of the other records as far as the caller may read them. */
export async function overlapMessages(
  env: Env,
  model: Model,
  { message }: Exclude,
  others: readonly number[],
): Promise<(other: number) => string | Text> {
  if (others.length === 0) return () => message;
  const rows = await env.model(model.name).searchRead([['id', 'in', [...others]]], ['display_name']);
  const names = new Map(rows.map((row) => [row.id, String(row.display_name)]));
  return (other) => {
    const record = names.get(other);
    return record === undefined ? message : text('{message} It overlaps with {record}.', { message, record });
  };
}
