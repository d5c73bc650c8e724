import type { PoolClient, QueryArrayResult, QueryResult } from 'pg';
import { compile, type Sql } from '../sql/sql.ts';
import { bindValues } from './bind-values.ts';
import type { StatementCache } from './statement-cache.ts';
import { cellTypes } from './type-parsers.ts';

/** A connection taken from the pool until it is given back. */
export interface Lease {
  readonly client: PoolClient;
  readonly statements: StatementCache;
  /** With true the connection is closed instead of being used again. */
  release(isBroken?: boolean): void;
}

export interface Outgoing {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly asArrays: boolean;
}

export interface Answer {
  readonly rows: readonly unknown[];
  readonly rowCount: number;
}

export function toOutgoing(statement: Sql, asArrays: boolean): Outgoing {
  const { text, values } = compile(statement);
  return { text, values: bindValues(values), asArrays };
}

export async function send(lease: Lease, { text, values, asArrays }: Outgoing): Promise<Answer> {
  const name = lease.statements.nameOf(text);
  const result: unknown = await lease.client.query({
    text,
    values: values as unknown[],
    types: cellTypes,
    ...(name !== undefined && { name }),
    ...(asArrays && { rowMode: 'array' as const }),
  });
  return toAnswer(result as DriverResult | readonly DriverResult[]);
}

type DriverResult = QueryResult | QueryArrayResult;

/** Several statements in one text give several results; the last one counts. */
function toAnswer(result: DriverResult | readonly DriverResult[]): Answer {
  const last = Array.isArray(result) ? (result.at(-1) as DriverResult) : (result as DriverResult);
  return { rows: last.rows, rowCount: last.rowCount ?? 0 };
}
