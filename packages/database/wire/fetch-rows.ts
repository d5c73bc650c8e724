import type { Connection } from 'pg';
import type { Bound } from '../pool/bind-values.ts';
import type { Lease } from '../pool/lease.ts';
import type { Column } from './columns.ts';
import { requestBytes } from './request.ts';
import { type RowSink, tapOf } from './row-tap.ts';

/** Takes the rows of one statement and makes something of them. */
export interface RowReader<T> extends RowSink {
  /** Called before the first row. */
  begin(columns: readonly Column[]): void;
  end(): T;
}

export interface Fetched<T> {
  readonly result: T;
  readonly rowCount: number;
}

interface Wanted<T> {
  readonly text: string;
  /** Empty: sent once and not kept. */
  readonly name: string;
  readonly values: readonly Bound[];
  readonly reader: RowReader<T>;
  /** As in a request. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What the driver asks of a query that is not its own. */
interface Submittable {
  readonly name: string;
  readonly text: string;
  submit(connection: Connection & DriverConnection): Error | null;
  handleRowDescription(message: { readonly fields: readonly DriverField[] }): void;
  handleDataRow(): void;
  handleCommandComplete(message: { readonly text: string }): void;
  handleEmptyQuery(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}
interface DriverField {
  readonly name: string;
  readonly dataTypeID: number;
}
interface DriverConnection {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean };
  readonly parsedStatements: Record<string, string>;
}

/**
 * Sends one statement and hands its rows over as bytes. A statement that the connection knows is not described again: its
 * result cannot change, the server would refuse it instead.
 */
export function fetchRows<T>(lease: Lease, wanted: Wanted<T>): Promise<Fetched<T>> {
  return new Promise((resolve, reject) => {
    lease.client.query(
      submittable(lease, wanted, resolve, reject) as unknown as Parameters<typeof lease.client.query>[0],
    );
  });
}

function submittable<T>(
  { statements, client }: Lease,
  { text, name, values, reader, before, after }: Wanted<T>,
  resolve: (fetched: Fetched<T>) => void,
  reject: (error: unknown) => void,
): Submittable {
  const tap = tapOf((client as unknown as { connection: object }).connection);
  const known = name === '' ? undefined : statements.columnsOf(name);
  let rowCount = 0;
  // BEGIN completes before the statement does, and COMMIT after it.
  let completed = before === null ? 0 : -1;
  let hasColumns = known !== undefined;
  let failure: unknown = null;
  let isSentParsed = false;

  const sink: RowSink = {
    row(bytes, start) {
      if (failure) return;
      try {
        reader.row(bytes, start);
      } catch (error) {
        failure = error;
      }
    },
  };

  function learn(columns: readonly Column[]): void {
    hasColumns = true;
    if (name !== '') statements.keepColumns(name, columns);
    reader.begin(columns);
  }

  function settle(): void {
    if (tap.sink === sink) tap.sink = null;
  }

  return {
    name,
    text,
    submit(connection) {
      const isParsed = name !== '' && connection.parsedStatements[name] !== undefined;
      const isDescribed = !(isParsed && known);
      if (!isDescribed) reader.begin(known as readonly Column[]);
      tap.sink = sink;
      const { stream } = connection;
      isSentParsed = isParsed;
      if (stream.writable) {
        stream.write(requestBytes({ name, text: isParsed ? null : text, values, isDescribed, before, after }));
      }
      return null;
    },
    handleRowDescription({ fields }) {
      learn(fields.map((field) => ({ name: field.name, type: field.dataTypeID })));
    },
    // Rows go through the tap.
    handleDataRow: () => {},
    handleCommandComplete(message) {
      if (++completed !== 1) return;
      if (!hasColumns) learn([]);
      rowCount = Number(/(\d+)$/.exec(message.text)?.[1] ?? 0);
    },
    handleEmptyQuery: () => {},
    handleReadyForQuery() {
      settle();
      if (failure) return reject(failure);
      try {
        resolve({ result: reader.end(), rowCount });
      } catch (error) {
        reject(error);
      }
    },
    handleError(error) {
      settle();
      // The driver took the parsing of BEGIN for that of the statement, which may or may not have come to it.
      if (before !== null && name !== '' && !isSentParsed) statements.forget(name);
      reject(error);
    },
  };
}
