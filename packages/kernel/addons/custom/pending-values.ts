import { ident, type Queryable, sql } from '@kontor/database';
import { type Env, type Field, fillPortion, type Model, type Registry, recomputePortion } from '@kontor/orm';
import { KontorError } from '@kontor/protocol';
import type { Runtime } from '../../runtime.ts';
import { systemActor } from '../../work/actor.ts';
import { fieldIn } from './document.ts';
import { readPublished } from './revision-models.ts';

/**
 * So many records get the values of a new field while it is published, when nobody else can use their table. Where there are more, all
 * of them get it afterwards, in portions.
 */
const mostAtOnce = 500;
/** A portion holds its records for some ten milliseconds. */
const portionSize = 250;

/** Fields whose existing records still wait for their values. */
export interface PendingValues {
  readonly model: string;
  readonly fields: readonly string[];
  /** Computed from other fields, or copied once from the source of an initial value. */
  readonly way: 'compute' | 'copy';
  /** The last record that has them. */
  readonly after: number;
  /** The newest record of the publication: later ones are created with them. */
  readonly until: number;
  /** Records that stay without a value. */
  readonly hidden?: readonly number[];
}

export interface NewValues {
  readonly computes: ReadonlyMap<Model, readonly string[]>;
  readonly copies: ReadonlyMap<Model, readonly Field[]>;
}

export interface PlannedValues {
  readonly atOnce: NewValues;
  readonly later: readonly PendingValues[];
}

/** Divides new fields by the number of records that are there. Called before the schema changes. */
export async function planValues(
  db: Queryable,
  { computes, copies }: NewValues,
  hidden: ReadonlyMap<string, readonly number[]>,
): Promise<PlannedValues> {
  const newest = new Map<Model, number>();
  for (const model of new Set([...computes.keys(), ...copies.keys()])) {
    const until = await newestOfMany(db, model.table);
    if (until !== null) newest.set(model, until);
  }
  const isSmall = <T>(each: readonly [Model, T]) => !newest.has(each[0]);
  const later: PendingValues[] = [];
  for (const [model, until] of newest) {
    const place = { model: model.name, after: 0, until };
    for (const { name } of copies.get(model) ?? [])
      later.push({ ...place, fields: [name], way: 'copy', hidden: hidden.get(`${model.name}.${name}`) ?? [] });
    const fields = computes.get(model) ?? [];
    if (fields.length > 0) later.push({ ...place, fields, way: 'compute' });
  }
  return {
    atOnce: { computes: new Map([...computes].filter(isSmall)), copies: new Map([...copies].filter(isSmall)) },
    later,
  };
}

/** The id of the newest record of a table with many of them; null: it has few. */
export async function newestOfMany(db: Queryable, table: string): Promise<number | null> {
  const [found] = await db.query<{ is_there: boolean }>(sql`select to_regclass(${table}) is not null as is_there`);
  if (!found?.is_there) return null;
  const [row] = await db.query<{ newest: number | null }>(sql`
    select (select max(id) from ${ident(table)}) as newest from ${ident(table)} offset ${mostAtOnce} limit 1`);
  return row?.newest ?? null;
}

/** Gives waiting records their values, each portion in a transaction of its own. It can stop at any point and be called again. */
export async function fillPending(runtime: Pick<Runtime, 'transact' | 'log'>, signal: AbortSignal): Promise<void> {
  let size = portionSize;
  while (!signal.aborted) {
    try {
      const { result } = await runtime.transact(systemActor, (env) => fillNext(env, size), { isSudo: true });
      if (result === 'done') return;
      size = portionSize;
    } catch (error) {
      if (!isOfRecords(error)) throw error;
      if (size === 1) {
        runtime.log.warn({ err: error }, 'a record stays without the value of an added field');
        await runtime.transact(systemActor, (env) => fillNext(env, 0), { isSudo: true });
      }
      // The one that cannot have it is found by itself.
      size = 1;
    }
  }
}

/** The values do not fit their field: trying again would not help. */
function isOfRecords(error: unknown): boolean {
  return error instanceof KontorError && ['VALIDATION_ERROR', 'USER_ERROR'].includes(error.code);
}

interface PendingRow {
  readonly id: number;
  readonly pending: string;
}

/** The next portion; with size 0, the next record is left out. */
async function fillNext(env: Env, size: number): Promise<'done' | 'more'> {
  const [row] = await env.db.query<PendingRow>(sql`
    select id, pending::text as pending from sys_custom_revision where pending is not null order by number limit 1 for update`);
  const [first, ...others] = row ? (JSON.parse(row.pending) as readonly PendingValues[]) : [];
  if (!row || !first) return 'done';
  const isOlder = await isAhead(env, first);
  // This process has not heard of the publication yet.
  if (isOlder) return 'done';
  const last = size === 0 ? await idAfter(env, first) : await fillOne(env, first, size);
  const left = last === null ? others : [{ ...first, after: last }, ...others];
  const pending = left.length === 0 ? null : JSON.stringify(left);
  await env.db.execute(sql`update sys_custom_revision set pending = ${pending}::jsonb where id = ${row.id}`);
  return 'more';
}

async function isAhead({ registry, db }: Env, { model, fields }: PendingValues): Promise<boolean> {
  const missing = fields.filter((name) => !registry.models.get(model)?.fields.has(name));
  if (missing.length === 0) return false;
  const { document } = await readPublished(db);
  return registry.models.has(model) && missing.some((name) => fieldIn(document, model, name) !== undefined);
}

async function idAfter({ registry, db }: Env, { model, after, until }: PendingValues): Promise<number | null> {
  const table = registry.models.get(model)?.table;
  if (table === undefined) return null;
  const [row] = await db.query<{ id: number }>(
    sql`select id from ${ident(table)} where id > ${after} and id <= ${until} order by id limit 1`,
  );
  return row?.id ?? null;
}

/** Returns the id to continue after; null: all have it, or the fields are gone. */
async function fillOne(env: Env, pending: PendingValues, size: number): Promise<number | null> {
  const { model: name, after, until, hidden = [] } = pending;
  const model = env.registry.models.get(name);
  if (!model) return null;
  const portion = { after, until, size };
  if (pending.way === 'compute') return recomputePortion(env, model, pending.fields, portion);
  const field = editableOf(env.registry, model, pending.fields[0] as string);
  return field ? fillPortion(env, model, field, { ...portion, hidden }) : null;
}

function editableOf(registry: Registry, { name }: Model, field: string): Field | undefined {
  return registry.editableComputes(name).find((each) => each.name === field);
}

/** Fields whose records still wait, and how many percent of the records have their values. */
export async function pendingParts(
  db: Queryable,
): Promise<readonly { readonly at: string; readonly percent: number }[]> {
  const rows = await db.query<{ pending: string }>(
    sql`select pending::text as pending from sys_custom_revision where pending is not null order by number`,
  );
  return rows
    .flatMap(({ pending }) => JSON.parse(pending) as readonly PendingValues[])
    .flatMap(({ model, fields, after, until }) =>
      fields.map((name) => ({ at: `${model}.${name}`, percent: Math.floor((100 * after) / Math.max(1, until)) })),
    );
}
