/** Fields of a PostgreSQL error, as the driver returns them. */
export interface ServerError extends Error {
  readonly code: string;
  readonly severity?: string;
  readonly detail?: string;
  readonly hint?: string;
  /** The position of the error in the statement, counted from 1. */
  readonly position?: string;
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
  readonly routine?: string;
  /** Our own code: the statement itself succeeded. */
  readonly isAtCommit?: boolean;
}

const sqlState = /^[0-9A-Z]{5}$/;

/** The server's error at or behind `error`, or null if it did not come from the server. */
export function serverError(error: unknown): ServerError | null {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    if ('severity' in current && 'code' in current && sqlState.test(String(current.code)))
      return current as ServerError;
  }
  return null;
}

/** The plan of a named statement is outdated, missing on the connection, or was prepared twice. */
export function isStalePlan(error: unknown): boolean {
  const known = serverError(error);
  if (!known) return false;
  const { code, routine } = known;
  return (code === '0A000' && routine === 'RevalidateCachedQuery') || code === '26000' || code === '42P05';
}

/** The server cancelled the statement: it took too long, or on request. */
export function isCanceled(error: unknown): boolean {
  return serverError(error)?.code === '57014';
}

/** The server ended the statement before it was done, so that nothing of it is left. */
export function isUndone(error: unknown): boolean {
  return isCanceled(error) && !serverError(error)?.isAtCommit;
}

/** True if running the whole transaction again may succeed: serialization failure, deadlock, outdated plan. */
export function isRetryable(error: unknown): boolean {
  const code = serverError(error)?.code;
  return code === '40001' || code === '40P01' || isStalePlan(error);
}

/** Keeps the original for logs and retries. Hidden from enumeration: its `detail` quotes record values. */
export function withCause<E extends Error>(error: E, cause: unknown): E {
  Object.defineProperty(error, 'cause', { value: cause, enumerable: false, configurable: true, writable: true });
  return error;
}
