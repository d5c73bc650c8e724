import type { TransactionOptions } from '../queryable.ts';

const isolationLevels: Readonly<Record<NonNullable<TransactionOptions['isolation']>, string>> = {
  'read committed': ' isolation level read committed',
  'repeatable read': ' isolation level repeatable read',
  serializable: ' isolation level serializable',
};

/** One text, one round trip: BEGIN and what holds only for this transaction. */
export function beginStatement({ isolation, readOnly, statementTimeoutMs }: TransactionOptions): string {
  const level = isolation ? isolationLevels[isolation] : '';
  const begin = `begin${level}${readOnly ? ' read only' : ''}`;
  if (statementTimeoutMs === undefined) return begin;
  if (!Number.isSafeInteger(statementTimeoutMs) || statementTimeoutMs < 0) {
    throw new TypeError(`Not a statement timeout in milliseconds: ${statementTimeoutMs}`);
  }
  return `${begin}; set local statement_timeout = ${statementTimeoutMs}`;
}
