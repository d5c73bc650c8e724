import type { Duplex } from 'node:stream';
import type { Client } from 'pg';
import { compile, type Sql } from '../sql/sql.ts';
import { type DriverConnection, driverConnection } from '../wire/driver-connection.ts';

/** Methods of the driver's connection for COPY that its types omit. */
interface CopyConnection extends DriverConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Bytes to buffer for a slow reader before reading from the server pauses. */
const maxWaiting = 1_048_576;

/** The rows of `copy … to stdout` as the server sends them, and their number; never more in memory than `maxWaiting` and one row. */
export async function* copyOut(client: Client, statement: Sql): AsyncGenerator<Buffer, number> {
  const { stream } = driverConnection(client);
  let waiting: Buffer[] = [];
  let size = 0;
  let count = 0;
  let hasEnded = false;
  let failure: Error | null = null;
  let wake = (): void => {};
  submit(client, statement, {
    handleCopyData({ chunk }) {
      // The driver reuses its buffer for the next data.
      waiting.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > maxWaiting) stream.pause();
      wake();
    },
    handleCommandComplete({ text }) {
      count = countOf(text);
    },
    handleReadyForQuery() {
      hasEnded = true;
      wake();
    },
    handleError(error) {
      failure = error;
      wake();
    },
  });
  try {
    for (;;) {
      if (failure) throw failure;
      if (waiting.length > 0) {
        const piece = Buffer.concat(waiting);
        waiting = [];
        size = 0;
        yield piece;
        stream.resume();
      } else if (hasEnded) return count;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    stream.resume();
  }
}

/** Sends rows to `copy … from stdin`; how many the server took. */
export function copyIn(client: Client, statement: Sql, rows: AsyncIterable<Buffer>): Promise<number> {
  const connection = copyConnection(client);
  const { stream } = connection;
  return new Promise((resolve, reject) => {
    let count = 0;
    let isRefused = false;
    const pump = async (): Promise<void> => {
      try {
        for await (const piece of rows) {
          if (isRefused) return;
          connection.sendCopyFromChunk(piece);
          if (stream.writableNeedDrain) await drained(stream);
        }
        connection.endCopyFrom();
      } catch (error) {
        reject(error);
        connection.sendCopyFail('the rows could not be read');
      }
    };
    submit(client, statement, {
      handleCopyInResponse: () => void pump(),
      handleCommandComplete({ text }) {
        count = countOf(text);
      },
      handleReadyForQuery: () => resolve(count),
      handleError(error) {
        isRefused = true;
        reject(error);
      },
    });
  });
}

/** Resolves when the receiver has taken the data, or is gone. */
function drained(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

/** `COPY 12` */
function countOf(text: string): number {
  return Number(/(\d+)$/.exec(text)?.[1] ?? 0);
}

interface CopyHandlers {
  handleCopyData?(message: { readonly chunk: Buffer }): void;
  handleCopyInResponse?(): void;
  handleCommandComplete?(message: { readonly text: string }): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

function copyConnection(client: Client): CopyConnection {
  return driverConnection(client) as CopyConnection;
}

function submit(client: Client, statement: Sql, handlers: CopyHandlers): void {
  const nothing = (): void => {};
  const { text } = compile(statement);
  const query = {
    handleRowDescription: nothing,
    handleDataRow: nothing,
    handleEmptyQuery: nothing,
    handleCommandComplete: nothing,
    submit: () => copyConnection(client).query(text),
    ...handlers,
  };
  client.query(query);
}
