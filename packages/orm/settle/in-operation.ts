import { ident, sql } from '@kontor/database';
import { accessDenied, KontorError } from '@kontor/protocol';
import { outcomeRefusals } from '../access/refusals.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import type { Env } from '../model/model.ts';
import { forget, owes, type RuleCheck, settleState } from '../operation/settle-state.ts';
import { checkNeeds } from '../states/check-needs.ts';
import { checkCompanies } from './check-companies.ts';
import { ConstraintError, checkConstraints } from './check-constraints.ts';
import { recomputeStale } from './recompute-stale.ts';

/**
 * Runs one operation on records. Operations nest (a create with lines creates the lines); when the outermost one ends,
 * stored computes are brought up to date, constraints are checked, and the author must still be allowed to have what
 * they wrote. An error leaves the transaction to its owner, who rolls it back.
 */
export async function inOperation<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const state = settleState(env);
  if (state.depth++ === 0) state.firstChange = env.work.changes.length;
  try {
    const result = await work();
    if (state.depth === 1) await settle(env);
    return result;
  } catch (error) {
    // A value that a constraint refuses may break a hook or a compute (a division by it): then the refusal says what is wrong.
    if (state.depth === 1 && !(error instanceof KontorError)) await throwViolations(env);
    throw error;
  } finally {
    state.depth--;
    // Also after a failure: the caller may go on from a savepoint, where these records may not exist.
    if (state.depth === 0) forget(state);
  }
}

async function settle(env: Env): Promise<void> {
  const state = settleState(env);
  do {
    await recomputeStale(env);
    await checkCompanies(env);
    await checkConstraints(env);
    await checkNeeds(env);
    await checkRules(env);
    // Of operations that run side by side in one transaction, the one that ends last does what is left to do.
  } while (owes(state));
}

async function throwViolations(env: Env): Promise<void> {
  try {
    await checkConstraints(env);
  } catch (error) {
    // Anything else (the transaction is aborted, or the same compute fails again) tells less than the first error.
    if (error instanceof ConstraintError) throw error;
  }
}

/** After the operation the rules must still allow the author each record: one statement a model, author and operation. */
async function checkRules(env: Env): Promise<void> {
  const state = settleState(env);
  const checks = state.rules;
  state.rules = [];
  for (const check of checks) await checkRule(check);
}

async function checkRule({ env, model: name, operation, ids }: RuleCheck): Promise<void> {
  const model = env.registry.model(name);
  const rule = rulePredicate(env, model, operation, 't');
  if (!rule) return;
  const rows = await env.db.query<{ id: number }>(sql`
    select t.id from ${ident(model.table)} t
    where t.id = any(${[...ids]}::int4[]) and (${rule}) is not true order by t.id`);
  if (rows.length === 0) return;
  throw accessDenied(model.name, operation, 'rule', {
    message: outcomeRefusals[operation]({ model: model.label }),
    ids: rows.map((row) => row.id),
  });
}
