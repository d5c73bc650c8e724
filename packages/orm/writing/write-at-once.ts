import { ident, join, type Sql, sql } from '@kontor/database';
import { rulePredicate } from '../domain/rule-predicate.ts';
import { mayBreakRules, ruleReads } from '../domain/rule-reads.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { AskedRow, CastRow, LockedRow, RowChange } from '../plan/row-change.ts';
import { lockedRows, mayChange } from '../rows/lock-rows.ts';
import { stamp, toParameter, translated } from '../rows/rows.ts';
import { compare, contextFields } from './compare-rows.ts';
import { markWritten, recordWrites } from './store-changes.ts';

/** Whether the same plain columns are set on all the rows: no lists, no relations, nothing to merge. */
export function isPlain(asked: readonly AskedRow[], cast: CastRow): boolean {
  return (
    cast.lists.size === 0 &&
    cast.columns.size > 0 &&
    asked.every((row) => row.base === undefined && row.values === asked[0]?.values) &&
    [...cast.columns.keys()].every(isPlainField)
  );
}

/** Values are sent twice, which files are too large for; system columns are set by the statement itself. */
function isPlainField({ name, kind }: Field): boolean {
  return !kind.isToOne && !kind.isFile && name !== 'write_date' && name !== 'write_uid';
}

/**
 * The common write in one statement: it locks the rows in id order, reads what they held, and updates those that differ,
 * unless one of them is missing or protected; then it changes none.
 */
export async function writeAtOnce(
  env: Env,
  model: Model,
  ids: readonly number[],
  asked: readonly AskedRow[],
  cast: CastRow,
): Promise<{ changes: RowChange[]; touched: Set<number> }> {
  const reads = ruleReads(env, model, 'write');
  const names = new Set([...cast.columns.keys()].map((field) => field.name));
  const asksRules = reads?.isFinal === true && mayBreakRules(reads, names);
  const fields = [...cast.columns.keys(), ...contextFields(env, model, new Set(cast.columns.keys()))];
  const verdict = (asksRules ? rulePredicate(env, model, 'write', 'r') : null) ?? sql`true`;
  const cells = await translated(env, () => env.db.arrays(statement(env, model, ids, fields, cast, verdict)));
  const locked = lockedRows(model, ids, fields, cells, 'write');
  const changes = asked.map((row) => compare(model, row, cast, locked.get(row.id) as LockedRow));
  const written = changes.filter((change) => change.changed.size > 0);
  const touched = new Set(written.map((change) => change.id));
  recordWrites(env, model, written, new Map());
  const refused = cells.filter((row) => row.at(-1) === false).map((row) => row[0] as number);
  const doubtful = reads?.isFinal === false ? [...touched] : refused;
  const changed = new Set(written.flatMap((change) => [...change.changed.keys()].map((field) => field.name)));
  await markWritten(env, model, { ids: [...touched], names: changed, owners: [], doubtful });
  return { changes, touched };
}

function statement(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields: readonly Field[],
  cast: CastRow,
  verdict: Sql,
): Sql {
  const table = ident(model.table);
  const set = new Map([...cast.columns, ...stamp(env, model, ['write_date', 'write_uid'])]);
  const assignments = [...set].map(([field, value]) => sql`${column(field)} = ${toParameter(field, value)}`);
  // Compared with what `old` has locked: the table itself still shows the statement's snapshot, which may be older.
  const differs = [...cast.columns].map(
    ([field, value]) => sql`${column(field, 'old')} is distinct from ${toParameter(field, value)}`,
  );
  return sql`
    with old as (
      select r.id, ${mayChange(env, model, 'write')} is true as "may change"
        ${join(
          fields.map((field) => sql`, ${column(field, 'r')}`),
          sql``,
        )}
      from ${table} r where r.id = any(${ids}::int4[]) order by r.id for no key update of r
    ), done as (
      update ${table} as r set ${join(assignments)} from old
      where r.id = old.id and (${join(differs, sql` or `)})
        and (select count(*) = ${ids.length} and bool_and("may change") from old)
      returning r.id, (${verdict}) is true as "still allowed"
    )
    select old.*, done."still allowed" from old left join done on done.id = old.id order by old.id`;
}

function column(field: Field, alias?: string): Sql {
  return alias === undefined ? ident(field.column as string) : ident(alias, field.column as string);
}
