import type { Cell } from './pool/type-parsers.ts';
import type { Sql } from './sql/sql.ts';
import type { CsvPart, CsvShape } from './wire/csv-rows.ts';
import type { AnswerBounds } from './wire/fetch-rows.ts';
import type { JsonShape } from './wire/json-rows.ts';

export interface Queryable {
  /** Rows as objects keyed by column name. */
  query<Row extends object = Record<string, Cell>>(statement: Sql): Promise<Row[]>;
  /** Rows as arrays in column order, for hot paths. */
  arrays(statement: Sql, bounds?: AnswerBounds): Promise<Cell[][]>;
  /** Rows as the text of a JSON array, straight from the wire. */
  json(statement: Sql, shape: JsonShape, bounds?: AnswerBounds): Promise<string>;
  /** Rows as lines of CSV, straight from the wire. */
  csv(statement: Sql, shape: CsvShape): Promise<CsvPart>;
  /** The number of rows a statement affected. */
  execute(statement: Sql): Promise<number>;
  /** Statements sent through this handle so far; what `expectQueries` counts. */
  readonly statements: number;
}

export interface Transaction extends Queryable {
  /**
   * Runs the last statement of the transaction together with its commit, in one round trip, and returns its rows; every
   * later statement is rejected. In a dry run, and inside a savepoint, it is a normal statement.
   */
  last<Row extends object = Record<string, Cell>>(statement: Sql): Promise<Row[]>;
  /** Runs once the transaction is durable; never when it rolls back. A failure in it is logged, not thrown. */
  afterCommit(work: () => void | Promise<void>): void;
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Settles when the last request has been sent, whatever its result. The system takes a large statement in parts, and the server
   * waits for the rest while this process is busy.
   */
  sent(): Promise<void>;
}

export interface TransactionOptions {
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
  /** Rolls back at the end even if the work succeeds. */
  readonly rollback?: boolean;
  /** Number of retries after a serialization failure or deadlock; each retry runs the work from its start. */
  readonly retries?: number;
  readonly statementTimeoutMs?: number;
  /** Ends the transaction by closing its connection: the result is no longer needed. */
  readonly signal?: AbortSignal;
}

export interface Database extends Queryable {
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
}
