import { and, ident, join, type Sql, sql } from '@kontor/database';
import { defaultFields, isReadFromDatabase } from '../defaults/apply-defaults.ts';
import { constantDefault, type DefaultSituation } from '../defaults/constant-default.ts';
import { createCompiler } from '../domain/compile-domain.ts';
import { toJson } from '../fields/to-json.ts';
import { requiredFields } from '../given/cast-values.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { companyField } from '../operation/record-change.ts';
import { stamp, toParameter } from '../rows/rows.ts';
import { isPlain, isShortCreate, plainFields } from './is-short.ts';
import { linkMayBe } from './link-conditions.ts';
import { castOrNone, type OneChange, orFail, rowSlot, type ShortPlan, type ShortRow } from './short-change.ts';

/** `changed` makes the record, if its links are allowed; one that the rules refuse fails the statement. */
export function planShortCreate(env: Env, model: Model, names: readonly string[]): ShortPlan | null {
  const given = plainFields(env, model, names);
  const filled = defaultFields(model).filter(({ name }) => !names.includes(name));
  if (!given || filled.some((field) => !isPlain(field) || isReadFromDatabase(field))) return null;
  const fields = [...given, ...filled];
  if (!isShortCreate(env, model, fields)) return null;
  const required = requiredFields(model);
  if (required.some((field) => !fields.includes(field))) return null;
  const links = linksOf(env, model, given, fields);
  const compiler = createCompiler(env, 'r');
  const verdict = compiler.rules(model, 'create', 'r');
  if (!links || !compiler.isCacheable) return null;
  const cells = fields.map((field, at) => [field, rowSlot((row) => row.cells[at])] as const);
  const stamps = [...stamp(env, model, ['create_date', 'create_uid', 'write_date', 'write_uid'])].map(
    ([field, value]) =>
      [field, field.name.endsWith('_date') ? rowSlot(({ now }) => now) : toParameter(field, value)] as const,
  );
  const columns = new Map<Field, unknown>([...stamps, ...cells]);
  const company = companyField(model);
  const where = links.length > 0 ? sql` where ${and(links)}` : sql``;
  return {
    model,
    fields,
    with: [
      sql`changed as (
        insert into ${ident(model.table)} as r (${join([...columns.keys()].map(({ column }) => ident(column as string)))})
        select ${join([...columns.values()].map((value) => sql`${value}`))}${where}
        returning r.id, ${company ? ident('r', company.column as string) : sql`null::int4`} as company_id,
          ${rowSlot(({ json }) => json)}::jsonb as values${verdict ? sql`, ${orFail(verdict)} as allowed` : sql``})`,
    ],
    id: sql`(select id from changed)`,
    row: (change, now) =>
      rowOf({ model, given, filled, required, situation: { uid: env.uid, actor: env.actor, now } }, change),
  };
}

/** What must hold of the records that the new one points at; null where that depends on more than the caller's rights. */
function linksOf(env: Env, model: Model, given: readonly Field[], fields: readonly Field[]): readonly Sql[] | null {
  const at = new Map(fields.map((field, index) => [field, index]));
  const company = companyField(model);
  const companyAt = company ? at.get(company) : undefined;
  const companyId = company ? (companyAt === undefined ? null : rowSlot((row) => row.cells[companyAt])) : undefined;
  const conditions: Sql[] = [];
  for (const field of fields) {
    if (!field.kind.isToOne) continue;
    const id = rowSlot((row) => row.cells[at.get(field) as number]);
    const isGiven = given.includes(field);
    const allowed = linkMayBe(env, { field, id, isChosen: isGiven, mustFit: isGiven, companyId, row: 0 });
    if (allowed === 'unknown') return null;
    if (allowed) conditions.push(allowed);
  }
  return conditions;
}

interface NewRow {
  readonly model: Model;
  readonly given: readonly Field[];
  /** Fields that get their default. */
  readonly filled: readonly Field[];
  readonly required: readonly Field[];
  readonly situation: DefaultSituation;
}

function rowOf({ model, given, filled, required, situation }: NewRow, change: OneChange): ShortRow | null {
  if (change.operation !== 'create') return null;
  const values = new Map<Field, unknown>();
  for (const field of given) values.set(field, castOrNone(field, change.values[field.name]));
  for (const field of filled) {
    const value = constantDefault(situation, field);
    if (value === undefined) return null;
    values.set(field, castOrNone(field, value));
  }
  for (const value of values.values()) if (value === undefined) return null;
  for (const field of required) if (field.kind.isEmpty(values.get(field))) return null;
  if (!mayBegin(model, values)) return null;
  const changes: Record<string, { readonly old: null; readonly new: unknown }> = {};
  const cells: unknown[] = [];
  for (const [field, value] of values) {
    cells.push(toParameter(field, value));
    if (value !== null) changes[field.name] = { old: null, new: value };
  }
  return { id: 0, now: situation.now.toISOString(), cells, base: [], json: toJson(changes) };
}

/** A new record begins in an initial state. */
function mayBegin({ states, fields }: Model, values: ReadonlyMap<Field, unknown>): boolean {
  if (!states) return true;
  const state = values.get(fields.get(states.field) as Field);
  return typeof state !== 'string' || states.initial.has(state);
}
