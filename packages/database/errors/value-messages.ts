import type { ServerError } from './sql-state.ts';

export interface ValueMessage {
  readonly message: string;
  /** Where the message belongs whatever the constraint is about. */
  readonly field?: string;
}

type Say = (error: ServerError, label: string | null) => ValueMessage;

const named = (label: string | null): string => label ?? 'A value';

const unique: Say = (_, label) => ({
  message: label
    ? `${label} must be unique; another record already has this value.`
    : 'Another record already has these values.',
});

const stillReferenced: Say = (_, label) => ({
  field: 'id',
  message: label
    ? `This is still in use: other records refer to it as ${label}.`
    : 'This is still in use: other records refer to it.',
});

const missingReference: Say = (_, label) => ({
  message: label
    ? `${label} refers to a record that does not exist (any more).`
    : 'A referenced record does not exist (any more).',
});

/** Keys refer to `id` only, so a violation about `id` comes from the side that is being deleted. */
const foreignKey: Say = (error, label) => {
  const isReferencedSide = /\(id\)=\(/.test(error.detail ?? '') && !/is not present/.test(error.detail ?? '');
  return (isReferencedSide ? stillReferenced : missingReference)(error, label);
};

const tooLong: Say = (error, label) => {
  const limit = /\((\d+)\)/.exec(error.message)?.[1];
  const what = label ?? 'A text';
  return { message: limit ? `${what} is too long: at most ${limit} characters.` : `${what} is too long.` };
};

/** By SQLSTATE: what a person can correct, in their words. */
export const valueMessages: Readonly<Record<string, Say>> = {
  '23505': unique,
  '23503': foreignKey,
  '23001': stillReferenced,
  '23502': (_, label) => ({ message: `${label ?? 'This field'} is required.` }),
  '23514': (_, label) => ({ message: `${named(label)} is not among the values allowed here.` }),
  '23P01': (_, label) => ({ message: `${named(label)} overlaps with another record.` }),
  '22001': tooLong,
  '22003': (_, label) => ({ message: `${label ?? 'A number'} is too large.` }),
  '22P02': (_, label) => ({ message: `${named(label)} has the wrong form.` }),
  '22007': (_, label) => ({ message: `${label ?? 'A date'} is not a valid date or time.` }),
  '22008': (_, label) => ({ message: `${label ?? 'A date'} is outside the range of dates.` }),
  '22021': (_, label) => ({ message: `${label ?? 'A text'} has a character that cannot be stored.` }),
  '22P05': (_, label) => ({ message: `${label ?? 'A text'} has a character that cannot be stored.` }),
  '54000': (_, label) => ({ message: `${named(label)} is too long.` }),
};
