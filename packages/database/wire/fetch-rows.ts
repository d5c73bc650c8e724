import type { BoundValue } from '../pool/bind-values.ts';
import type { Lease } from '../pool/open-pool.ts';
import type { Column } from './cells.ts';
import { driverConnection } from './driver-connection.ts';
import { requestBytes } from './request.ts';
import { type RowSink, type RowTap, tapOf } from './row-tap.ts';

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
  readonly values: readonly BoundValue[];
  readonly reader: RowReader<T>;
  /** As in a request. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What the driver asks of a query that is not its own. */
interface Submittable {
  readonly name: string;
  readonly text: string;
  submit(): Error | null;
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

/**
 * Sends one statement and hands its rows over as bytes. A statement that the connection knows is not described again: its
 * result cannot change, the server would refuse it instead.
 */
export function fetchRows<T>(lease: Lease, wanted: Wanted<T>): Promise<Fetched<T>> {
  return new Promise((resolve, reject) => {
    lease.client.query(submittable(lease, wanted, resolve, reject));
  });
}

function submittable<T>(
  { statements, client }: Lease,
  { text, name, values, reader, before, after }: Wanted<T>,
  resolve: (fetched: Fetched<T>) => void,
  reject: (error: unknown) => void,
): Submittable {
  const { stream, parsedStatements } = driverConnection(client);
  const rows = tapRows(tapOf(client), reader);
  const known = name === '' ? undefined : statements.columnsOf(name);
  let rowCount = 0;
  // BEGIN completes before the statement does, and COMMIT after it.
  let completed = before === null ? 0 : -1;
  let hasColumns = known !== undefined;
  let isSentParsed = false;

  function learn(columns: readonly Column[]): void {
    hasColumns = true;
    if (name !== '') statements.keepColumns(name, columns);
    reader.begin(columns);
  }

  return {
    name,
    text,
    submit() {
      const isParsed = name !== '' && parsedStatements[name] !== undefined;
      const isDescribed = !(isParsed && known);
      if (!isDescribed) reader.begin(known as readonly Column[]);
      rows.open();
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
      rows.close();
      try {
        resolve({ result: rows.result(), rowCount });
      } catch (error) {
        reject(error);
      }
    },
    handleError(error) {
      rows.close();
      // The driver took the parsing of BEGIN for that of the statement, which may or may not have come to it.
      if (before !== null && name !== '' && !isSentParsed) statements.forget(name);
      reject(error);
    },
  };
}

/** The rows that come through the tap while it is open. What a reader throws is kept: the driver must read to the end. */
function tapRows<T>(tap: RowTap, reader: RowReader<T>): { open(): void; close(): void; result(): T } {
  let failure: unknown = null;
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
  return {
    open: () => {
      tap.sink = sink;
    },
    close: () => {
      if (tap.sink === sink) tap.sink = null;
    },
    result: () => {
      if (failure) throw failure;
      return reader.end();
    },
  };
}
