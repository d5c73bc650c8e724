import type { SqlStatement } from './split-statements.ts';

const transactionWords = new Set(['begin', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release']);

/** Why a statement may not be in a migration, or null. The install's own transaction must stay whole. */
export function forbiddenReason({ words }: SqlStatement): string | null {
  const [first = '', second = ''] = words;
  const isTransaction =
    transactionWords.has(first) ||
    (first === 'start' && second === 'transaction') ||
    (first === 'prepare' && second === 'transaction');
  if (isTransaction) {
    return `${first.toUpperCase()} is not allowed: a migration runs inside the transaction of the install.`;
  }
  if (first === 'set' && !['local', 'transaction', 'constraints'].includes(second)) {
    return 'SET would outlive the migration; write SET LOCAL.';
  }
  return null;
}
