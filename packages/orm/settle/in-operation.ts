import { KontorError } from '@kontor/protocol';
import type { Env } from '../model/model.ts';
import { forget, owing, settleState } from '../operation/settle-state.ts';
import { checkNeeds } from '../states/check-needs.ts';
import { checkCompanies } from './check-companies.ts';
import { ConstraintError, checkConstraints } from './check-constraints.ts';
import { checkOverlaps } from './check-overlaps.ts';
import { checkRules } from './check-rules.ts';
import { recomputeStale } from './recompute-stale.ts';

/**
 * Runs one operation on records. Operations nest (a create with lines creates the lines); when the outermost one ends,
 * stored computes are updated, constraints are checked, and the author must still be allowed to have what they wrote.
 * After an error, the owner of the transaction rolls it back.
 */
export async function inOperation<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const state = settleState(env);
  if (state.depth++ === 0) state.firstChange = env.work.changes.length;
  try {
    const result = await work();
    if (state.depth === 1) await settle(env);
    return result;
  } catch (error) {
    // A value that a constraint rejects may break a hook or a compute (a division by it): then the constraint's error
    // says what is wrong.
    if (state.depth === 1 && !(error instanceof KontorError)) await throwViolations(env);
    state.hasLost = true;
    throw error;
  } finally {
    state.depth--;
    // Also after a failure: the caller may continue from a savepoint, where these records may not exist.
    if (state.depth === 0) forget(state);
  }
}

/** In the order in which they reject. */
const settlers = [recomputeStale, checkCompanies, checkConstraints, checkOverlaps, checkNeeds, checkRules];
const maxRounds = 1000;

async function settle(env: Env): Promise<void> {
  const state = settleState(env);
  for (let round = 0; round < maxRounds; round++) {
    for (const settler of settlers) await settler(env);
    // If operations run concurrently in one transaction, the last one to end does the remaining work.
    if (owing(state).length === 0) return;
  }
  throw new Error(`Nobody settles what is due for ${owing(state).join(', ')}.`);
}

async function throwViolations(env: Env): Promise<void> {
  try {
    await checkConstraints(env);
  } catch (error) {
    // Any other error (the transaction is aborted, or the same compute fails again) is less informative than the first.
    if (error instanceof ConstraintError) throw error;
  }
}
