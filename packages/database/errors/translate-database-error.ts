import { KontorError, type Text, text, ValidationError } from '@kontor/protocol';
import { isRetryable, type ServerError, serverError, withCause } from './sql-state.ts';
import { unavailable } from './unavailable.ts';

/** The caller's description of a constraint or column. */
export interface Described {
  readonly field: string;
  readonly label: string;
  /** Replaces the general message. */
  readonly message?: string;
}

/** Absent parts are null: a not-null violation names table and column, a unique one table and constraint. */
export type Describe = (constraint: string | null, table: string | null, column: string | null) => Described | null;

/** The key of messages for which the database reports no field. */
export const wholeRecord = '_record';

/**
 * The only place where database errors become errors for callers. Null: a caller could not act on it. The original is kept as
 * `cause`, so that a transaction can still see what may be retried.
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

/** `Key (login)=(…) already exists.`: the column's name; the value beside it is not passed on. */
function keyColumn({ detail }: ServerError): string | null {
  return /\((\w+)\)=\(/.exec(detail ?? '')?.[1] ?? null;
}

interface ValueMessage {
  readonly message: Text;
  /** The field of the message, whatever the constraint is about. */
  readonly field?: string;
}

type Say = (error: ServerError, label: string | null) => ValueMessage;

const aValue = text('A value');
const aText = text('A text');
const aDate = text('A date');

const unique: Say = (_, label) => ({
  message: label
    ? text('{label} must be unique; another record already has this value.', { label })
    : text('Another record already has these values.'),
});

const stillReferenced: Say = (_, label) => ({
  field: 'id',
  message: label
    ? text('This is still in use: other records refer to it as {label}.', { label })
    : text('This is still in use: other records refer to it.'),
});

const missingReference: Say = (_, label) => ({
  message: label
    ? text('{label} refers to a record that does not exist (any more).', { label })
    : text('A referenced record does not exist (any more).'),
});

/** Keys refer to `id` only, so a violation about `id` comes from the side that is being deleted. */
const foreignKey: Say = (error, label) => {
  const isReferencedSide = /\(id\)=\(/.test(error.detail ?? '') && !/is not present/.test(error.detail ?? '');
  return (isReferencedSide ? stillReferenced : missingReference)(error, label);
};

const tooLong: Say = (error, label) => {
  const limit = /\((\d+)\)/.exec(error.message)?.[1];
  const what = { label: label ?? aText };
  return {
    message: limit
      ? text('{label} is too long: at most {limit} characters.', { ...what, limit })
      : text('{label} is too long.', what),
  };
};

/** User-facing messages for errors that a user can correct, by SQLSTATE. */
const valueMessages: Readonly<Record<string, Say>> = {
  '23505': unique,
  '23503': foreignKey,
  '23001': stillReferenced,
  '23502': (_, label) => ({ message: text('{label} is required.', { label: label ?? text('This field') }) }),
  '23514': (_, label) => ({
    message: text('{label} is not among the values allowed here.', { label: label ?? aValue }),
  }),
  '23P01': (_, label) => ({ message: text('{label} overlaps with another record.', { label: label ?? aValue }) }),
  '22001': tooLong,
  '22003': (_, label) => ({ message: text('{label} is too large.', { label: label ?? text('A number') }) }),
  '22P02': (_, label) => ({ message: text('{label} has the wrong form.', { label: label ?? aValue }) }),
  '22007': (_, label) => ({ message: text('{label} is not a valid date or time.', { label: label ?? aDate }) }),
  '22008': (_, label) => ({ message: text('{label} is outside the range of dates.', { label: label ?? aDate }) }),
  '22021': (_, label) => ({
    message: text('{label} has a character that cannot be stored.', { label: label ?? aText }),
  }),
  '22P05': (_, label) => ({
    message: text('{label} has a character that cannot be stored.', { label: label ?? aText }),
  }),
  '54000': (_, label) => ({ message: text('{label} is too long.', { label: label ?? aValue }) }),
};
