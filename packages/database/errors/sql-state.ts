/** What PostgreSQL says of an error, as the driver hands it over. */
export interface ServerError extends Error {
  readonly code: string;
  readonly severity?: string;
  readonly detail?: string;
  readonly hint?: string;
  /** Of the character in the statement where the error is, counted from 1. */
  readonly position?: string;
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
  readonly routine?: string;
}

const sqlState = /^[0-9A-Z]{5}$/;

/** The server's error at or behind `error`, or null when the server did not say it. */
export function serverError(error: unknown): ServerError | null {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    if ('severity' in current && 'code' in current && sqlState.test(String(current.code)))
      return current as ServerError;
  }
  return null;
}
