import { and, ident, join, literal, type Sql, sql } from '@kontor/database';
import { createCompiler } from '../domain/compile-domain.ts';
import { mayBreakRules, ruleReads } from '../domain/rule-reads.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { sameValue } from '../model/same-value.ts';
import { companyField } from '../operation/record-change.ts';
import { stamp, toParameter } from '../rows/rows.ts';
import { isShortWrite, plainFields } from './is-short.ts';
import { linkMayBe } from './link-conditions.ts';
import { castOrNone, type OneChange, orFail, rowSlot, type ShortPlan, type ShortRow } from './short-change.ts';

/** The record itself; what it points at is `r` in the conditions on links. */
const own = 'o';

/**
 * `old` takes the record as it is now, unless rules, a lock of its state or somebody else's change of the same field are in the
 * way; `changed` writes what differs from it.
 */
export function planShortWrite(
  env: Env,
  model: Model,
  names: readonly string[],
  baseNames: readonly string[],
): ShortPlan | null {
  const fields = plainFields(env, model, names);
  if (!fields || fields.length === 0 || !isShortWrite(env, model, fields)) return null;
  if (!baseNames.every((name) => names.includes(name))) return null;
  const compiler = createCompiler(env, own);
  const rules = [compiler.rules(model, 'read', own), compiler.rules(model, 'write', own)];
  if (!compiler.isCacheable) return null;
  const base = fields.filter(({ name }) => baseNames.includes(name));
  const given = new Map(fields.map((field, at) => [field, rowSlot(({ cells }) => cells[at])]));
  const isAsSeen = base.map((field, at) => {
    const now = column(own, field);
    const seen = rowSlot((row) => row.base[at]);
    return sql`(${now} is not distinct from ${seen} or ${now} is not distinct from ${given.get(field)})`;
  });
  const links = linksOf(env, model, fields, given);
  if (!links) return null;
  const conditions = [
    sql`${ident(own, 'id')} = ${rowSlot(({ id }) => id)}::int4`,
    ...rules.filter((rule) => rule !== null),
    ...openState(model, names),
    // Server code takes an empty yes or no for a no.
    ...fields.filter(({ kind }) => kind.absent === false).map((field) => sql`${column(own, field)} is not null`),
    ...isAsSeen,
    ...links,
  ];
  const company = companyField(model);
  const context = [...new Set([...fields, ...(company ? [company] : [])])];
  const stamps = [...stamp(env, model, ['write_date', 'write_uid'])].map(([field, value]) =>
    field.name === 'write_date'
      ? sql`${ident(field.column as string)} = ${rowSlot(({ now }) => now)}`
      : sql`${ident(field.column as string)} = ${toParameter(field, value)}`,
  );
  const set = fields.map((field) => sql`${ident(field.column as string)} = ${given.get(field)}`);
  const differs = fields.map((field) => sql`${column('old', field)} is distinct from ${given.get(field)}`);
  const reads = ruleReads(env, model, 'write');
  const verdict = reads?.isFinal && mayBreakRules(reads, new Set(names)) ? rules[1] : null;
  const table = ident(model.table);
  return {
    model,
    fields,
    with: [
      sql`old as (
        select ${ident(own, 'id')}, ${join(context.map((field) => column(own, field)))}
        from ${table} ${ident(own)} where ${and(conditions)} for no key update of ${ident(own)})`,
      sql`changed as (
        update ${table} as ${ident(own)} set ${join([...set, ...stamps])} from old
        where ${ident(own, 'id')} = old.id and (${join(differs, sql` or `)})
        returning ${ident(own, 'id')}, ${company ? column(own, company) : sql`null::int4`} as company_id,
          ${changedValues(fields)} as values${verdict ? sql`, ${orFail(verdict)} as allowed` : sql``})`,
    ],
    id: sql`(select id from old)`,
    row: (change, now) => rowOf(fields, base, change, now),
  };
}

function column(alias: string, field: Field): Sql {
  return ident(alias, field.column as string);
}

/** A record that it did not point at before is one that the caller may choose; null where that depends on more than rights. */
function linksOf(
  env: Env,
  model: Model,
  fields: readonly Field[],
  given: ReadonlyMap<Field, unknown>,
): readonly Sql[] | null {
  const company = companyField(model);
  const conditions: Sql[] = [];
  for (const field of fields) {
    if (!field.kind.isToOne) continue;
    const id = given.get(field);
    const companyId = company ? column(own, company) : undefined;
    const link = { field, id, isChosen: true, mustFit: true, companyId, row: 0 };
    const allowed = linkMayBe(env, link);
    if (allowed === 'unknown') return null;
    if (allowed) conditions.push(sql`(${column(own, field)} = ${id}::int4 or ${allowed})`);
  }
  return conditions;
}

/** The record is in no state that locks one of these fields. */
function openState({ states, fields }: Model, names: readonly string[]): readonly Sql[] {
  const locked = [...(states?.locks ?? [])].filter(([, own]) => names.some((name) => own.has(name)));
  if (!states || locked.length === 0) return [];
  const state = column(own, fields.get(states.field) as Field);
  return [sql`(${state} = any(${locked.map(([name]) => name)}::text[])) is not true`];
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

function rowOf(fields: readonly Field[], base: readonly Field[], change: OneChange, now: Date): ShortRow | null {
  if (change.operation !== 'write') return null;
  const cast = fields.map((field) => castOrNone(field, change.values[field.name]));
  for (const [at, field] of fields.entries()) {
    if (cast[at] === undefined || (field.required && field.kind.isEmpty(cast[at]))) return null;
  }
  const seen = base.map((field) => castOrNone(field, change.base?.[field.name] ?? null));
  for (const [at, field] of base.entries()) {
    // What the caller did not change is not written, whatever it is by now.
    if (seen[at] === undefined || sameValue(field, cast[fields.indexOf(field)], seen[at])) return null;
  }
  return {
    id: change.id,
    now: now.toISOString(),
    cells: fields.map((field, at) => toParameter(field, cast[at])),
    base: base.map((field, at) => toParameter(field, seen[at])),
    json: '',
  };
}
