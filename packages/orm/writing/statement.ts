import { and, ident, join, literal, type Sql, slot, sql } from '@kontor/database';
import { toJson } from '../fields/to-json.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { companyField } from '../operation/record-change.ts';
import type { GivenRow, PlannedWrite, RowSql, StatementSteps } from '../plan/concern.ts';
import { makePlan, preventsStatement } from '../plan/make-plan.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { lockedRows } from '../rows/lock-rows.ts';
import { stamp, toParameter, translated } from '../rows/rows.ts';
import { concerns } from './concerns.ts';

/** One change by an external caller. */
export type OneChange =
  | { readonly operation: 'create'; readonly values: Values }
  | { readonly operation: 'write'; readonly id: number; readonly values: Values; readonly base: Values | null };

/** The values of a statement. */
export interface StatementRow {
  readonly id: number;
  /** The time of the change. */
  readonly now: string;
  /** One parameter for each field of the plan. */
  readonly cells: readonly unknown[];
  /** The values the caller saw in the fields of the plan with a base. */
  readonly base: readonly unknown[];
  /** The change of a new record as JSON. */
  readonly json: string;
}

/** The change of one record in one statement, for all callers with the same rights who name the same fields. */
export interface Statement {
  readonly model: Model;
  /** Fields that it sets. */
  readonly fields: readonly Field[];
  /**
   * Queries of a `with`. The last is `changed`, with `id`, `company_id` and `values` (the change as JSON) of the record if it was
   * changed.
   */
  readonly with: readonly Sql[];
  /** The record's id; null if something prevents the change. */
  readonly id: Sql;
  /** Null: the values are invalid. */
  row(change: OneChange, now: Date): StatementRow | null;
}

/**
 * The change of one record as one statement; null if some concern needs code. If anything prevents the change, the
 * statement changes nothing and gives no reason: the ordinary path reports it.
 */
export function planStatement(env: Env, model: Model, change: OneChange): Statement | null {
  const given = fieldsOf(model, Object.keys(change.values));
  if (!given) return null;
  const base = new Set(change.operation === 'write' ? Object.keys(change.base ?? {}) : []);
  const purpose = { purpose: 'call', isCalled: false, isCascade: false } as const;
  const write = { env, model, operation: change.operation, ...purpose, given, always: given, base } as const;
  const plan = makePlan(concerns, write);
  if (preventsStatement(plan).length > 0) return null;
  if (plan.operation === 'write' && plan.fields.size === 0) return null;
  const whole = { ...plan, env, steps: plan.steps.flatMap(({ statement }) => statement?.(env) ?? []) };
  const parts = plan.operation === 'create' ? insertParts(whole) : updateParts(whole);
  return { model, fields: [...plan.fields], ...parts, row: (asked, now) => fillRow(whole, asked, now) };
}

/** Null if a name is not a field. */
function fieldsOf({ fields }: Model, names: readonly string[]): ReadonlySet<Field> | null {
  const found = names.flatMap((name) => fields.get(name) ?? []);
  return found.length === names.length ? new Set(found) : null;
}

interface Whole extends Pick<PlannedWrite, 'env' | 'model' | 'operation' | 'fields' | 'base'> {
  readonly steps: readonly StatementSteps[];
}

type Parts = Pick<Statement, 'with' | 'id'>;

/** The slots of a statement are filled from an object with its row. */
function rowSlot(take: (row: StatementRow) => unknown) {
  return slot(({ row }: { readonly row: StatementRow }) => take(row));
}

/** The record is `o`; its related records are `r` in the conditions on links. */
const own = 'o';

function column(alias: string, field: Field): Sql {
  return ident(alias, field.column as string);
}

function rowSql({ operation, fields, base }: Whole): RowSql {
  const cells = new Map([...fields].map((field, at) => [field, rowSlot((row) => row.cells[at])]));
  const seen = new Map([...base].map((name, at) => [name, rowSlot((row) => row.base[at])]));
  const unwritten = (field: Field) => (operation === 'write' ? column(own, field) : null);
  return {
    old: (field) => column(own, field),
    given: (field) => cells.get(field),
    seen: (field) => seen.get(field.name),
    after: (field) => cells.get(field) ?? unwritten(field),
  };
}

/** `changed` creates the record if all conditions hold. */
function insertParts(plan: Whole): Parts {
  const { env, model, fields } = plan;
  const row = rowSql(plan);
  const stamps = [...stamp(env, model, ['create_date', 'create_uid', 'write_date', 'write_uid'])].map(
    ([field, value]) => [field, stampSlot(field, value)] as const,
  );
  const columns = new Map<Field, unknown>([
    ...stamps,
    ...[...fields].map((field) => [field, row.given(field)] as const),
  ]);
  const conditions = plan.steps.flatMap(({ holds }) => holds?.(row) ?? []);
  const where = conditions.length > 0 ? sql` where ${and(conditions)}` : sql``;
  return {
    with: [
      sql`changed as (
        insert into ${ident(model.table)} as ${ident(own)} (${join([...columns.keys()].map((each) => ident(each.column as string)))})
        select ${join([...columns.values()].map((value) => sql`${value}`))}${where}
        returning ${ident(own, 'id')}, ${companyOf(model)} as company_id, ${rowSlot(({ json }) => json)}::jsonb as values${rowCondition(plan)})`,
    ],
    id: sql`(select id from changed)`,
  };
}

/** `old` locks the current record if all conditions hold; `changed` writes what differs from it. */
function updateParts(plan: Whole): Parts {
  const { env, model } = plan;
  const fields = [...plan.fields];
  const row = rowSql(plan);
  const conditions = [
    sql`${ident(own, 'id')} = ${rowSlot(({ id }) => id)}::int4`,
    ...plan.steps.flatMap(({ holds }) => holds?.(row) ?? []),
  ];
  const stamps = [...stamp(env, model, ['write_date', 'write_uid'])].map(
    ([field, value]) => sql`${ident(field.column as string)} = ${stampSlot(field, value)}`,
  );
  const set = fields.map((field) => sql`${ident(field.column as string)} = ${row.given(field)}`);
  const differs = fields.map((field) => sql`${column('old', field)} is distinct from ${row.given(field)}`);
  const table = ident(model.table);
  return {
    with: [
      sql`old as (
        select ${ident(own, 'id')}, ${join(fields.map((field) => column(own, field)))}
        from ${table} ${ident(own)} where ${and(conditions)} for no key update of ${ident(own)})`,
      sql`changed as (
        update ${table} as ${ident(own)} set ${join([...set, ...stamps])} from old
        where ${ident(own, 'id')} = old.id and (${join(differs, sql` or `)})
        returning ${ident(own, 'id')}, ${companyOf(model)} as company_id, ${changedValues(fields)} as values${rowCondition(plan)})`,
    ],
    id: sql`(select id from old)`,
  };
}

function stampSlot(field: Field, value: unknown): unknown {
  return field.name.endsWith('_date') ? rowSlot(({ now }) => now) : toParameter(field, value);
}

function companyOf(model: Model): Sql {
  const company = companyField(model);
  return company ? column(own, company) : sql`null::int4`;
}

/** Conditions on the written row: if one does not hold, the whole statement fails and changes nothing. */
function rowCondition({ steps }: Whole): Sql {
  const conditions = steps.flatMap((step) => step.stays?.(own) ?? []);
  if (conditions.length === 0) return sql``;
  return sql`, 1 / (case when (${and(conditions)}) is true then 1 else 0 end) as allowed`;
}

/** Old and new values of the fields that differ. */
function changedValues(fields: readonly Field[]): Sql {
  const [only, ...others] = fields.map((field) => {
    const [old, now] = [column('old', field), column(own, field)].map((value) => field.kind.jsonSql?.(value));
    return sql`jsonb_build_object(${literal(field.name)}, jsonb_build_object('old', ${old}, 'new', ${now}))`;
  });
  if (others.length === 0) return only as Sql;
  const each = [only as Sql, ...others].map((change, at) => {
    const field = fields[at] as Field;
    return sql`case when ${column('old', field)} is distinct from ${column(own, field)} then ${change} else '{}' end`;
  });
  return sql`(${join(each, sql` || `)})`;
}

function fillRow(plan: Whole, change: OneChange, now: Date): StatementRow | null {
  const { env, model, operation, fields, base, steps } = plan;
  if (change.operation !== operation) return null;
  const situation = { uid: env.uid, actor: env.actor, now };
  const given = { given: change.values, base: change.operation === 'write' ? change.base : null };
  const row: GivenRow = { ...given, situation, values: new Map(), seen: new Map() };
  for (const { values } of steps) if (values && !values(row)) return null;
  const cells: unknown[] = [];
  for (const field of fields) cells.push(toParameter(field, row.values.get(field)));
  const seen: unknown[] = [];
  for (const name of base) {
    const field = model.fields.get(name) as Field;
    seen.push(toParameter(field, row.seen.get(field)));
  }
  return {
    id: change.operation === 'write' ? change.id : 0,
    now: now.toISOString(),
    cells,
    base: seen,
    json: change.operation === 'create' ? newValues(row.values) : '',
  };
}

function newValues(values: ReadonlyMap<Field, unknown>): string {
  const changes: Record<string, { readonly old: null; readonly new: unknown }> = {};
  for (const [field, value] of values) if (value !== null) changes[field.name] = { old: null, new: value };
  return toJson(changes);
}

/** Whether one statement can lock, compare and update all rows: they get the same values, which may be sent twice. */
export function canUpdateAtOnce({ rows, casts }: WriteRun): boolean {
  const [cast] = casts.values();
  return (
    cast !== undefined &&
    casts.size === 1 &&
    rows.length > 0 &&
    cast.columns.size > 0 &&
    [...cast.columns.keys()].every(isPlain)
  );
}

/** Files are too large to be sent twice; the statement itself sets the system columns. */
function isPlain({ name, kind }: Field): boolean {
  return !kind.isFile && name !== 'write_date' && name !== 'write_uid';
}

interface Conditions {
  /** The caller may change the row, and may still have it as written. */
  readonly allowed: Sql;
  readonly stays: Sql;
}

/**
 * Locks the rows in id order, reads their values, and updates those that differ, unless one of them is missing or
 * protected; then it changes none. Returns the locked rows, and the ids of those that the caller may no longer have.
 */
export async function updateAtOnce(run: WriteRun, columns: readonly Field[], conditions: Conditions) {
  const { env, model, ids } = run;
  const cells = await translated(env, () => env.db.arrays(lockAndUpdate(run, columns, conditions)));
  const doubtful = cells.filter((row) => row.at(-1) === false).map((row) => row[0] as number);
  return { locked: lockedRows(model, ids, columns, cells, 'write'), doubtful };
}

function lockAndUpdate({ env, model, ids, casts }: WriteRun, columns: readonly Field[], conditions: Conditions): Sql {
  const table = ident(model.table);
  const [cast] = casts.values();
  const given = [...(cast?.columns ?? [])];
  const set = new Map([...given, ...stamp(env, model, ['write_date', 'write_uid'])]);
  const assignments = [...set].map(
    ([field, value]) => sql`${ident(field.column as string)} = ${toParameter(field, value)}`,
  );
  // Compared with what `old` has locked: the table itself still shows the statement's snapshot, which may be older.
  const differs = given.map(
    ([field, value]) => sql`${column('old', field)} is distinct from ${toParameter(field, value)}`,
  );
  return sql`
    with old as (
      select ${join([sql`r.id, (${conditions.allowed}) is true as "may change"`, ...columns.map((field) => column('r', field))])}
      from ${table} r where r.id = any(${ids}::int4[]) order by r.id for no key update of r
    ), done as (
      update ${table} as r set ${join(assignments)} from old
      where r.id = old.id and (${join(differs, sql` or `)})
        and (select count(*) = ${ids.length} and bool_and("may change") from old)
      returning r.id, (${conditions.stays}) is true as "still allowed"
    )
    select old.*, done."still allowed" from old left join done on done.id = old.id order by old.id`;
}
