import { type Text, text } from '@kontor/protocol';
import type { ServerError } from './sql-state.ts';

export interface ValueMessage {
  readonly message: Text;
  /** Where the message belongs whatever the constraint is about. */
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

/** By SQLSTATE: what a person can correct, in their words. */
export const valueMessages: Readonly<Record<string, Say>> = {
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
