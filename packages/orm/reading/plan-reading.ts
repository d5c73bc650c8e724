import { type Cell, type CsvColumn, type CsvForm, type CsvShape, csvShape, type Sql, sql } from '@kontor/database';
import type { AnyDomain } from '@kontor/protocol';
import type { Env, Field, Model } from '../model/model.ts';
import type { Projection, WireRecord } from '../model/records.ts';
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
 * Reads all matching records, part by part. It needs a transaction with `repeatable read`, which can have one such read at a
 * time.
 */
export interface Reading {
  /** CSV lines with these paths as columns; null if a path needs more than the row. */
  csvParts(paths: readonly string[]): AsyncIterable<Buffer> | null;
  recordParts(): AsyncIterable<readonly WireRecord[]>;
  /** Each part is the text of a JSON array, with decimals as text, for readers without exact numbers. */
  jsonParts(): AsyncIterable<string>;
}

/** Checks and plans now; the statement runs when the first part is read. */
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

/** An estimate: a value that is not a text counts as a few bytes. */
function sizeOf(rows: readonly (readonly unknown[])[]): number {
  return rows.reduce((sum, row) => sum + row.reduce<number>((bytes, cell) => bytes + lengthOf(cell), 0), 0);
}

function lengthOf(cell: unknown): number {
  return typeof cell === 'string' ? cell.length : 8;
}

/** How rows become CSV lines with these columns; null if more than the row is needed. */
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
  /** Null: at least one, not counted. */
  readonly rows: number | null;
  /** Bytes, estimated. */
  readonly size: number;
}

/** The approximate size of a part in bytes. The number of rows follows from it, so that memory use is constant. */
const partSize = 256_000;
const fetchSizes = [
  { rows: 10, fetch: sql`fetch 10 from reading` },
  { rows: 100, fetch: sql`fetch 100 from reading` },
  { rows: 1_000, fetch: sql`fetch 1000 from reading` },
  { rows: 4_000, fetch: sql`fetch 4000 from reading` },
] as const;
const firstSize = 1;

/**
 * Reads the rows of a statement through a cursor. The next part is fetched while the caller uses this one. A caller that stops
 * early ends the transaction.
 */
async function* readParts<T>(
  env: Env,
  statement: Sql,
  fetch: (rows: Sql) => Promise<Part<T>>,
): AsyncGenerator<T, void> {
  // Plan for all rows, not for the first ones; and end the statement soon after the caller has closed the connection.
  await env.db.execute(sql`select set_config('cursor_tuple_fraction', '1', true),
    set_config('client_connection_check_interval', '500', true)`);
  await env.db.execute(sql`declare reading no scroll cursor for ${statement}`);
  let at = firstSize;
  let nextPart = fetchPart(fetch, at);
  for (;;) {
    const { part, rows, size } = await nextPart;
    if (rows === 0) break;
    at = nextSize(at, size);
    nextPart = fetchPart(fetch, at);
    yield part;
  }
  await env.db.execute(sql`close reading`);
}

function fetchPart<T>(fetch: (rows: Sql) => Promise<Part<T>>, at: number): Promise<Part<T>> {
  const nextPart = fetch((fetchSizes[at] as (typeof fetchSizes)[number]).fetch);
  // If it fails before the caller awaits it, Node must not report an unhandled rejection.
  nextPart.catch(() => {});
  return nextPart;
}

function nextSize(at: number, size: number): number {
  const larger = fetchSizes[at + 1];
  const { rows } = fetchSizes[at] as (typeof fetchSizes)[number];
  if (size > partSize * 4) return Math.max(0, at - 1);
  return larger && (size * larger.rows) / rows <= partSize * 2 ? at + 1 : at;
}
