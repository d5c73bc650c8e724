import { KontorError, type Text, text } from '@kontor/protocol';
import { serverError, withCause } from './sql-state.ts';

const lost = text('The connection to the database was lost. Try again in a moment.');
const unreachable = text('The database cannot be reached. Try again in a moment.');
const busy = text('The server is busy. Try again in a moment.');

const networkMessages: Readonly<Record<string, Text>> = {
  ECONNREFUSED: unreachable,
  ENOENT: unreachable,
  EACCES: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  ECONNRESET: lost,
  EPIPE: lost,
};

/** Messages of the driver, without a code, for a connection that ended or never started. */
const driverMessages: readonly (readonly [string, Text])[] = [
  ['timeout exceeded when trying to connect', busy],
  ['Connection terminated due to connection timeout', unreachable],
  ['timeout expired', unreachable],
  ['Connection terminated', lost],
  ['Client has encountered a connection error', lost],
  ['Client was closed', lost],
  ['Cannot use a pool after calling end', text('The server is shutting down.')],
  ['The server does not support SSL connections', text('The database refused an encrypted connection.')],
  ['There was an error establishing an SSL connection', text('The database refused an encrypted connection.')],
];

const stateMessages: Readonly<Record<string, Text>> = {
  '57P01': text('The database is shutting down. Try again in a moment.'),
  '57P02': text('The database is restarting after a failure. Try again in a moment.'),
  '57P03': text('The database is starting. Try again in a moment.'),
  '57P05': lost,
  '53300': text('The database has no free connection. Try again in a moment.'),
  '53100': text('The database has no disk space left.'),
  '53200': text('The database has no memory left for this.'),
  '57014': text('This took too long and was stopped. Try again, or ask for less at once.'),
  '55P03': text('Someone else is changing the same data. Try again in a moment.'),
  '25006': text('The database is read-only right now. Try again later.'),
  '25P03': lost,
  '25P04': lost,
  '28000': text('The database does not accept this server. Check the user in db_dsn.'),
  '28P01': text('The database does not accept this server. Check the password in db_dsn.'),
  '3D000': text('The database named in db_dsn does not exist.'),
};

/** Errors after which the connection is unusable. */
const deadStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '53300', '28000', '28P01', '3D000']);

function driverError(error: unknown): Text | undefined {
  if (!(error instanceof Error) || serverError(error)) return undefined;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  // Work inside a transaction may fail on a file; that says nothing about the database.
  const isOfAFile = (code === 'ENOENT' || code === 'EACCES') && syscall !== undefined && syscall !== 'connect';
  if (typeof code === 'string' && networkMessages[code] && !isOfAFile) return networkMessages[code];
  if (error instanceof AggregateError && error.errors.length > 0) return driverError(error.errors[0]);
  return driverMessages.find(([start]) => error.message.startsWith(start))?.[1];
}

/** The connection is gone or was never established, whatever the statement was. */
export function isConnectionFailure(error: unknown): boolean {
  const known = serverError(error);
  if (known) return deadStates.has(known.code) || known.code.startsWith('08') || known.severity === 'FATAL';
  return driverError(error instanceof KontorError ? error.cause : error) !== undefined;
}

/** UNAVAILABLE if the database cannot serve this now; null for any other error. */
export function unavailable(error: unknown): KontorError | null {
  if (error instanceof KontorError) return error.code === 'UNAVAILABLE' ? error : null;
  const known = serverError(error);
  const message = known ? stateMessage(known.code) : driverError(error);
  if (message === undefined) return null;
  return withCause(new KontorError('UNAVAILABLE', message), error);
}

function stateMessage(code: string): Text | undefined {
  if (stateMessages[code]) return stateMessages[code];
  return code.startsWith('08') ? lost : undefined;
}

/** The connection broke after COMMIT was sent: it is unknown whether it arrived. */
export function lostWhileSaving(error: unknown): Error {
  const unknown = new KontorError(
    'UNAVAILABLE',
    'The connection to the database was lost while saving. Check whether the change arrived before you repeat it.',
  );
  return withCause(unknown, error);
}
