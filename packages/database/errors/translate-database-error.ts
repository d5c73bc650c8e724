import { KontorError, ValidationError } from '@kontor/protocol';
import { isRetryable } from './is-retryable.ts';
import { type ServerError, serverError } from './sql-state.ts';
import { unavailable } from './unavailable.ts';
import { type ValueMessage, valueMessages } from './value-messages.ts';
import { withCause } from './with-cause.ts';

/** What the caller knows of a constraint or column. */
export interface Described {
  readonly field: string;
  readonly label: string;
  /** Said instead of the general words. */
  readonly message?: string;
}

/** Absent parts are null: a not-null violation names table and column, a unique one table and constraint. */
export type Describe = (constraint: string | null, table: string | null, column: string | null) => Described | null;

/** The key for messages that the database gives no field for. */
export const wholeRecord = '_record';

/**
 * The one place where database errors become errors for callers. Null: it says nothing a caller could act on.
 * The original is kept as `cause`, so that a transaction still sees what may be retried.
 */
export function translateDatabaseError(error: unknown, describe: Describe): KontorError | null {
  if (error instanceof KontorError) return error;
  const translated = isRetryable(error) ? contended() : (unavailable(error) ?? invalidValue(error, describe));
  if (!translated || translated.cause) return translated;
  return withCause(translated, error);
}

function contended(): KontorError {
  return new KontorError('UNAVAILABLE', 'Others are changing the same data at this moment. Try again.');
}

function invalidValue(error: unknown, describe: Describe): ValidationError | null {
  const known = serverError(error);
  const say = known && valueMessages[known.code];
  if (!known || !say) return null;
  const column = known.column ?? null;
  const described = describe(known.constraint ?? null, known.table ?? null, column);
  const { message, field } = say(known, described?.label ?? null);
  return new ValidationError({ [fieldOf(field, described, known)]: [described?.message ?? message] });
}

function fieldOf(forced: ValueMessage['field'], described: Described | null, error: ServerError): string {
  return forced ?? described?.field ?? error.column ?? keyColumn(error) ?? wholeRecord;
}

/** `Key (login)=(…) already exists.`: the column's name; the value beside it stays here. */
function keyColumn({ detail }: ServerError): string | null {
  return /\((\w+)\)=\(/.exec(detail ?? '')?.[1] ?? null;
}
