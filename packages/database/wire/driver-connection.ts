import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

interface SocketEvents {
  on(event: string, listener: (chunk: Buffer) => void): unknown;
}

/** Members of the driver's connection that its types omit. */
export interface DriverConnection {
  /** The server it is or will be connected to. */
  stream: Socket;
  /** False: nothing is encrypted. */
  readonly ssl: unknown;
  /** Texts of named statements that the server knows; the driver has no call to forget one. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  close(message: { type: 'S'; name: string }): void;
  attachListeners(stream: SocketEvents): void;
}

export function driverConnection(client: object): DriverConnection {
  if (!('connection' in client)) throw new Error('The driver keeps its connection elsewhere now.');
  return client.connection as DriverConnection;
}

/** Members of the driver's client that its types omit. */
interface DriverClient {
  /** The server's process. */
  readonly processID: number | null;
  /** False while it works on a statement. */
  readonly readyForQuery: boolean;
}

export function driverClient(client: object): DriverClient {
  if (!('processID' in client)) throw new Error('The driver keeps its state elsewhere now.');
  return client as DriverClient;
}

/** Settles when the system has taken all that was written to the connection, or the connection is gone. */
export async function untilSent(client: object): Promise<void> {
  await setImmediate();
  const { stream } = driverConnection(client);
  if (!stream.writableNeedDrain || stream.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

/** At once: the driver's own `end` would wait for the server. */
export function hangUp(client: object): void {
  driverConnection(client).stream.destroy();
}
