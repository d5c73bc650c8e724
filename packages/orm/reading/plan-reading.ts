import { type Cell, type CsvColumn, type CsvForm, type CsvShape, csvShape, type Sql, sql } from '@kontor/database';
import type { AnyDomain } from '@kontor/protocol';
import type { Env, Field, Model } from '../model/model.ts';
import type { Projection, WireRecord } from '../records.ts';
import { orderTerms } from './order.ts';
import { buildRecords } from './projection/build-records.ts';
import { fetchExtras } from './projection/fetch-extras.ts';
import type { Plan } from './projection/plan.ts';
import { planProjection } from './projection/plan-projection.ts';
import { wireShape } from './projection/write-records.ts';
import { pageStatement, startSelect, visibleRows } from './select.ts';

interface Asked {
  readonly domain: AnyDomain;
  readonly projection: Projection;
  readonly order: string | undefined;
}

/**
 * A read of all that matches, however much it is, a part at a time. It takes a transaction with one picture of the data
 * (`repeatable read`), and one reading at a time in it.
 */
export interface Reading {
  /** Lines of CSV with these paths as columns; null where a path needs more than the row itself. */
  csvParts(paths: readonly string[]): AsyncIterable<Buffer> | null;
  recordParts(): AsyncIterable<readonly WireRecord[]>;
  /** The text of a JSON array a part, with decimals as text, for whoever has no exact numbers. */
  jsonParts(): AsyncIterable<string>;
}

/** Checks and plans at once; the database is asked when the first part is. */
export function planReading(env: Env, model: Model, asked: Asked): Reading {
  const select = startSelect(env, model);
  const where = visibleRows(select, asked.domain);
  const order = orderTerms(select, asked.order);
  const plan = planProjection(select, asked.projection);
  const page = { where, order, orderJoins: true, limit: undefined, offset: undefined };
  const statement = pageStatement(select, page);
  const parts = <T>(fetch: (rows: Sql) => Promise<Part<T>>) => readParts(env, statement, fetch);
  return {
    csvParts(paths) {
      const shape = csvShapeOf(plan, paths);
      return shape && parts((rows) => fetchCsv(env, rows, shape));
    },
    recordParts: () => parts((rows) => fetchRecords(env, plan, rows)),
    jsonParts: () => parts((rows) => fetchJson(env, plan, rows)),
  };
}

async function fetchCsv(env: Env, statement: Sql, shape: CsvShape): Promise<Part<Buffer>> {
  const { bytes, rows } = await env.db.csv(statement, shape);
  return { part: bytes, rows, size: bytes.length };
}

async function fetchRecords(env: Env, plan: Plan, statement: Sql): Promise<Part<readonly WireRecord[]>> {
  const rows = await env.db.arrays(statement);
  const part = buildRecords(plan, rows, await fetchExtras(env, plan, rows));
  return { part, rows: rows.length, size: sizeOf(rows) };
}

async function fetchJson(env: Env, plan: Plan, statement: Sql): Promise<Part<string>> {
  const shape = wireShape(plan, { decimal: 'plain' });
  if (!shape) {
    const { part: records, rows } = await fetchRecords(env, plan, statement);
    const part = JSON.stringify(records);
    return { part, rows, size: part.length };
  }
  const part = await env.db.json(statement, shape);
  return { part, rows: part === '[]' ? 0 : null, size: part.length };
}

/** About; numbers and the like are counted as a few bytes. */
function sizeOf(rows: readonly (readonly unknown[])[]): number {
  return rows.reduce((sum, row) => sum + row.reduce<number>((bytes, cell) => bytes + lengthOf(cell), 0), 0);
}

function lengthOf(cell: unknown): number {
  return typeof cell === 'string' ? cell.length : 8;
}

/** How the rows of a plan become lines of CSV with these columns; null where something beside the row is needed. */
function csvShapeOf(plan: Plan, paths: readonly string[]): CsvShape | null {
  const columns: CsvColumn[] = [];
  for (const path of paths) {
    const column = columnOf(plan, path);
    if (!column) return null;
    columns.push(column);
  }
  return csvShape(columns);
}

function columnOf(plan: Plan, path: string): CsvColumn | null {
  if (path === 'id') return { index: 0, form: 'digits', absent: '' };
  const output = plan.outputs.find(({ key }) => key === path);
  if (output?.type !== 'cell') return null;
  const { index, field, absent } = output;
  return { index, form: formOf(field), absent: absent === false ? 'false' : '' };
}

function formOf(field: Field): CsvForm {
  const { wire, cellToJson, isNumber } = field.kind;
  if (wire === undefined) return isNumber ? 'digits' : (cell) => asText(cellToJson(cell));
  return wire === 'json' ? 'text' : wire;
}

function asText(json: string): string {
  const value = JSON.parse(json) as Cell;
  return typeof value === 'string' ? value : json;
}

interface Part<T> {
  readonly part: T;
  /** Null: some, nobody counted. */
  readonly rows: number | null;
  /** Bytes, about. */
  readonly size: number;
}

/** A part is about so large, whatever its rows are like, so that memory stays flat. */
const wantedSize = 256_000;
const steps = [
  { rows: 10, fetch: sql`fetch 10 from reading` },
  { rows: 100, fetch: sql`fetch 100 from reading` },
  { rows: 1_000, fetch: sql`fetch 1000 from reading` },
  { rows: 4_000, fetch: sql`fetch 4000 from reading` },
] as const;
const firstStep = 1;

/**
 * Rows of a statement, a part at a time, through a cursor. The next part is fetched while this one is used. Whoever stops early
 * ends the transaction.
 */
async function* readParts<T>(
  env: Env,
  statement: Sql,
  fetch: (rows: Sql) => Promise<Part<T>>,
): AsyncGenerator<T, void> {
  // All rows are wanted, not the first ones soon; and a caller who hangs up is noticed while the database still works.
  await env.db.execute(sql`select set_config('cursor_tuple_fraction', '1', true),
    set_config('client_connection_check_interval', '500', true)`);
  await env.db.execute(sql`declare reading no scroll cursor for ${statement}`);
  let step = firstStep;
  let coming = ask(fetch, step);
  for (;;) {
    const { part, rows, size } = await coming;
    if (rows === 0) break;
    step = nextStep(step, size);
    coming = ask(fetch, step);
    yield part;
  }
  await env.db.execute(sql`close reading`);
}

function ask<T>(fetch: (rows: Sql) => Promise<Part<T>>, step: number): Promise<Part<T>> {
  const coming = fetch((steps[step] as (typeof steps)[number]).fetch);
  // Nobody may be waiting when it fails; whoever is, hears of it.
  coming.catch(() => {});
  return coming;
}

function nextStep(step: number, size: number): number {
  const larger = steps[step + 1];
  const { rows } = steps[step] as (typeof steps)[number];
  if (size > wantedSize * 4) return Math.max(0, step - 1);
  return larger && (size * larger.rows) / rows <= wantedSize * 2 ? step + 1 : step;
}
