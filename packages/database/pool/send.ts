import type { QueryArrayResult, QueryResult } from 'pg';
import { compile, type Sql } from '../sql/sql.ts';
import { type Column, readLength } from '../wire/cells.ts';
import { type CsvShape, csvRows } from '../wire/csv-rows.ts';
import { type AnswerBounds, fetchRows, type RowReader } from '../wire/fetch-rows.ts';
import { type JsonShape, jsonRows } from '../wire/json-rows.ts';
import { type BoundValue, bindValues } from './bind-values.ts';
import type { Lease } from './lease.ts';
import { type Cell, cellReader, cellTypes } from './type-parsers.ts';

/** Output format of the rows. */
export type RowForm = 'objects' | 'arrays' | JsonShape | CsvShape;

export interface Outgoing {
  readonly text: string;
  readonly values: readonly BoundValue[];
  readonly form: RowForm;
  readonly bounds: AnswerBounds | undefined;
}

export interface Answer {
  /** Objects or arrays, all rows as JSON text, or as CSV lines. */
  readonly rows: unknown;
  readonly rowCount: number;
  /** Server time; unknown for an unnamed statement. */
  readonly tookMs?: number;
  /** It is committed, but not known to be on the standby. */
  readonly isUncopied: boolean;
}

export function toOutgoing(statement: Sql, form: RowForm, bounds?: AnswerBounds): Outgoing {
  const { text, values } = compile(statement);
  return { text, values: bindValues(values), form, bounds };
}

/** Transaction control to send with a statement: in front of it, or behind it if it succeeds. */
export interface TransactionControl {
  readonly before?: string | null;
  readonly after?: string | null;
}

export function send(
  lease: Lease,
  outgoing: Outgoing,
  { before = null, after = null }: TransactionControl = {},
): Promise<Answer> {
  const { text, values, form, bounds } = outgoing;
  const name = lease.statements.nameOf(text);
  if (name === undefined && values.length === 0 && typeof form === 'string' && !bounds && !lease.sharedFor) {
    return sendOnce(lease, text, { form, before, after });
  }
  return fetchRows(lease, { text, name: name ?? '', values, reader: readerOf(form), bounds, before, after });
}

function readerOf(form: RowForm): RowReader<unknown> {
  if (form === 'arrays') return arrayRows();
  if (form === 'objects') return objectRows();
  return 'kind' in form ? csvRows(form) : jsonRows(form);
}

/** Statements that are not prepared and have no values, such as DDL and several statements in one text. */
async function sendOnce(
  lease: Lease,
  text: string,
  { form, before, after }: Required<TransactionControl> & { readonly form: 'objects' | 'arrays' },
): Promise<Answer> {
  if (before !== null) await lease.client.query(before);
  const result: unknown = await lease.client.query({
    text,
    types: cellTypes,
    ...(form === 'arrays' && { rowMode: 'array' as const }),
  });
  const answer = toAnswer(result as DriverResult | readonly DriverResult[], lease);
  if (after !== null) await lease.client.query(after);
  return answer;
}

type DriverResult = QueryResult | QueryArrayResult;

/** Several statements in one text return several results; the last one counts. */
function toAnswer(result: DriverResult | readonly DriverResult[], { marks }: Lease): Answer {
  const last = Array.isArray(result) ? (result.at(-1) as DriverResult) : (result as DriverResult);
  return { rows: last.rows, rowCount: last.rowCount ?? 0, isUncopied: marks.isUncopied };
}

type Read = ReturnType<typeof cellReader>;

/** Rows as arrays of cells. */
function arrayRows(): RowReader<Cell[][]> {
  const rows: Cell[][] = [];
  let readers: Read[] = [];
  return {
    begin(columns) {
      readers = columns.map((column) => cellReader(column.type));
    },
    row(bytes, start) {
      rows.push(readCells(bytes, start, readers));
    },
    end: () => rows,
  };
}

/** Rows as objects by column name. */
function objectRows(): RowReader<Record<string, Cell>[]> {
  const rows: Record<string, Cell>[] = [];
  let readers: Read[] = [];
  let named: readonly Column[] = [];
  return {
    begin(columns) {
      named = columns;
      readers = columns.map((column) => cellReader(column.type));
    },
    row(bytes, start) {
      const cells = readCells(bytes, start, readers);
      const row: Record<string, Cell> = {};
      for (let i = 0; i < cells.length; i++) row[(named[i] as Column).name] = cells[i] as Cell;
      rows.push(row);
    },
    end: () => rows,
  };
}

function readCells(bytes: Buffer, start: number, readers: readonly Read[]): Cell[] {
  const count = bytes.readInt16BE(start);
  const cells = new Array<Cell>(count);
  let at = start + 2;
  for (let i = 0; i < count; i++) {
    const length = readLength(bytes, at);
    at += 4;
    if (length < 0) {
      cells[i] = null;
      continue;
    }
    cells[i] = (readers[i] as Read)(bytes, at, at + length);
    at += length;
  }
  return cells;
}
