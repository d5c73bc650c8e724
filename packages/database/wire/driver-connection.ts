import type { Duplex } from 'node:stream';

export interface SocketEvents {
  on(event: string, listener: (chunk: Buffer) => void): unknown;
}

/** What the driver's connection has and its types leave out. */
export interface DriverConnection {
  readonly stream: Duplex;
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
