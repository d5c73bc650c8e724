import type { CsvShape, Sql } from '@kontor/database';
import type { AnyDomain } from '@kontor/protocol';
import type { Env, Model } from '../../model/model.ts';
import type { Projection, WireRecord } from '../../records.ts';
import { orderTerms } from '../order.ts';
import { buildRecords } from '../projection/build-records.ts';
import { fetchExtras } from '../projection/fetch-extras.ts';
import type { Plan } from '../projection/plan.ts';
import { planProjection } from '../projection/plan-projection.ts';
import { startSelect } from '../projection/select.ts';
import { wireShape } from '../projection/wire-shape.ts';
import { pageStatement, visibleRows } from '../statement.ts';
import { csvShapeOf } from './csv-shape.ts';
import { type Part, readParts } from './read-parts.ts';

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
