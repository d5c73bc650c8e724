import { ident, join, type Queryable, type Sql, sql } from '@kontor/database';
import type { Field, Registry } from '@kontor/orm';
import { testSeed } from '@kontor/testing';
import fc from 'fast-check';

/** Models that shipped analytic views are about. */
export const figureModels = [
  ...['core.partner', 'crm.lead', 'product.product', 'sale.order', 'sale.order.line'],
  ...['project.project', 'project.task', 'project.time', 'calendar.event', 'product.pricelist.item'],
  ...['invoice.invoice', 'invoice.line', 'invoice.payment', 'accounting.entry', 'accounting.posting'],
  ...['bank.entry', 'recurring.plan'],
] as const;

/** Near midnights of all zones, ends of years, quarters and weeks, nights in which clocks change, and around today. */
const edges = ['2024-02-29', '2025-03-09', '2025-03-30', '2025-10-26', '2025-12-29', '2025-12-31', '2026-01-01'];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly target: string | null;
}

/** Fields that constraints of the database tie together stay as in the record that is copied. */
const kept = new Set(['id', 'create_uid', 'write_uid', 'commercial_partner_id', 'tz', 'latitude', 'longitude']);

/**
 * Copies of the demonstration records with other dates, numbers, choices and relations, written into the tables as they
 * are: a figure must be right for whatever the tables hold.
 */
export async function generateRows(db: Queryable, registry: Registry, copies: number): Promise<void> {
  const random = sampler();
  for (const name of figureModels) {
    const model = registry.model(name);
    const columns = await columnsOf(db, model.table);
    const source = await db.query<{ row: string }>(sql`select to_jsonb(t)::text as row from ${ident(model.table)} t`);
    const ids = new Map<string, readonly number[]>();
    for (const { target } of columns) if (target && !ids.has(target)) ids.set(target, await idsOf(db, target));
    const rows = [...Array(copies).keys()].map((at) => {
      const row = JSON.parse(random.one(source).row) as Record<string, unknown>;
      for (const column of columns) {
        const field = model.fields.get(column.name);
        if (!kept.has(column.name) && field) row[column.name] = valueFor(random, { column, field, ids, row, at });
      }
      return orderedSpan(row);
    });
    const names = columns.filter(({ name: column }) => column !== 'id').map(({ name: column }) => ident(column));
    await db.execute(
      sql`insert into ${ident(model.table)} (${join(names)}) select ${join(names)} from jsonb_populate_recordset(null::${ident(model.table)}, ${JSON.stringify(rows)}::jsonb) on conflict do nothing`,
    );
    for (const field of model.fields.values())
      if (field.through) await linkSome(db, model.table, field, random, registry);
  }
}

interface Cell {
  readonly column: Column;
  readonly field: Field;
  readonly ids: ReadonlyMap<string, readonly number[]>;
  readonly row: Readonly<Record<string, unknown>>;
  readonly at: number;
}

type Sampler = ReturnType<typeof sampler>;

function valueFor(random: Sampler, { column, field, ids, row, at }: Cell): unknown {
  const before = row[column.name];
  const isEmpty = !column.isRequired && random.number(0, 3) === 0;
  if (field.kind.isToOne) {
    // A record is its own ancestor in no tree.
    if (column.target === null || column.name === 'parent_id' || column.name === 'shadow_of_id') return null;
    if (column.name === 'company_id') return isEmpty ? null : random.one([1, 2]);
    if (column.name.endsWith('currency_id'))
      return isEmpty ? null : random.one(ids.get(column.target)?.slice(0, 2) ?? []);
    return isEmpty ? null : random.one(ids.get(column.target) ?? []);
  }
  if (field.selection) return isEmpty ? null : random.one([...field.selection.keys()]);
  if (field.kind.isBoolean) return column.name === 'active' ? random.number(0, 5) > 0 : random.number(0, 1) === 1;
  if (field.kind.isInstant) return isEmpty ? null : `${random.day()}T${random.time()}Z`;
  if (field.kind.isDate) return isEmpty ? null : random.day();
  if (field.kind.isWhole) return isEmpty ? null : random.number(Math.max(0, field.spec.min ?? 0), 9);
  const least = (field.spec.min ?? -50) * 100;
  if (field.kind.isNumber) return isEmpty ? null : (random.number(least, 90_000) / 100).toFixed(2);
  return field.kind.isShort && typeof before === 'string' ? `${before.slice(0, 20)} ${at}` : before;
}

const spans = [
  ['date_start', 'date_end'],
  ['start', 'stop'],
] as const;

/** What ends before it begins is refused by the database. */
function orderedSpan(row: Record<string, unknown>): Record<string, unknown> {
  for (const [start, stop] of spans) {
    const [from, to] = [row[start], row[stop]];
    if (typeof from === 'string' && typeof to === 'string' && to < from) [row[start], row[stop]] = [to, from];
  }
  return row;
}

function sampler() {
  const numbers = fc.sample(fc.nat(), { numRuns: 200_000, seed: testSeed });
  let at = 0;
  const number = (from: number, to: number) => from + ((numbers[at++ % numbers.length] as number) % (to - from + 1));
  const one = <T>(list: readonly T[]): T => list[number(0, list.length - 1)] as T;
  const day = () => {
    if (number(0, 4) === 0) return one(edges);
    return new Date(Date.now() + number(-800, 60) * 86_400_000).toISOString().slice(0, 10);
  };
  const time = () =>
    number(0, 1) === 0
      ? one(['00:00:00', '23:59:59', '11:30:00', '07:59:59', '08:00:00', '22:00:00', '01:30:00'])
      : `${String(number(0, 23)).padStart(2, '0')}:${String(number(0, 59)).padStart(2, '0')}:00`;
  return { number, one, day, time };
}

async function columnsOf(db: Queryable, table: string): Promise<readonly Column[]> {
  return db.query<{ name: string; type: string; isRequired: boolean; target: string | null }>(sql`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "isRequired",
      (select c.confrelid::regclass::text from pg_constraint c where c.conrelid = a.attrelid and c.contype = 'f' and c.conkey = array[a.attnum]) as target
    from pg_attribute a where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`);
}

async function idsOf(db: Queryable, table: string): Promise<readonly number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select id from ${ident(table.replaceAll('"', ''))} order by id limit 60`,
  );
  return rows.map(({ id }) => id);
}

/** Some records have one link, some several. */
async function linkSome(
  db: Queryable,
  table: string,
  field: Field,
  random: Sampler,
  registry: Registry,
): Promise<void> {
  const { table: links, own, other } = field.through as NonNullable<Field['through']>;
  const target = registry.model(field.spec.relation as string).table;
  if (target === table) return;
  const [owners, others] = [
    await db.query<{ id: number }>(sql`select id from ${ident(table)}`),
    await idsOf(db, target),
  ];
  if (others.length === 0) return;
  const pairs: Sql[] = owners.flatMap(({ id }) =>
    [...Array(random.number(0, 2)).keys()].map(() => sql`(${id}::int4, ${random.one(others)}::int4)`),
  );
  await db.execute(
    sql`insert into ${ident(links)} (${ident(own)}, ${ident(other)}) values ${join(pairs)} on conflict do nothing`,
  );
}
