import { ident, sql } from '@kontor/database';
import { accessDenied } from '@kontor/protocol';
import { outcomeRefusals } from '../access/refusals.ts';
import { rulePredicate } from '../access/rule-predicate.ts';
import type { Env } from '../model/model.ts';
import { type RuleCheck, settleState } from './settle-state.ts';

/** Nobody may write a record out of what the rules let them write: one statement a model, author and operation. */
export async function checkRules(env: Env): Promise<void> {
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
