import { serverError } from './sql-state.ts';

/** A named statement whose plan the schema outgrew, or that the connection no longer has. */
export function isStalePlan(error: unknown): boolean {
  const known = serverError(error);
  if (!known) return false;
  return (known.code === '0A000' && known.routine === 'RevalidateCachedQuery') || known.code === '26000';
}

/** True when running the whole transaction again may succeed: serialization failure, deadlock, outgrown plan. */
export function isRetryable(error: unknown): boolean {
  const code = serverError(error)?.code;
  return code === '40001' || code === '40P01' || isStalePlan(error);
}
