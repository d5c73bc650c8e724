import { ident, sql } from '@kontor/database';
import { accessDenied } from '@kontor/protocol';
import { outcomeRefusals } from '../access/refusals.ts';
import { createCompiler } from '../domain/compile-domain.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import { keepsRules, mayBreakRules, ruleReads } from '../domain/rule-reads.ts';
import type { Env } from '../model/model.ts';
import { type RuleCheck, settleState } from '../operation/settle-state.ts';
import { type Concern, namesOf } from '../plan/concern.ts';

/** Record rules: what the caller may see and change, before and after the write. */
export const rules: Concern = {
  name: 'rules',
  plan({ env, model, operation, given }) {
    const compiler = createCompiler(env, 'o');
    const asked = operation === 'create' ? (['create'] as const) : (['read', 'write'] as const);
    const predicates = asked.map((each) => compiler.rules(model, each, 'o'));
    if (predicates.every((predicate) => predicate === null)) return null;
    const reads = ruleReads(env, model, operation);
    const names = new Set(namesOf(given));
    const isKnown = operation === 'create' ? reads?.isFinal !== false : keepsRules(env, model, names);
    if (!compiler.isCacheable || !isKnown) return { runs: ['settle'] };
    if (operation === 'create') return { stays: (alias) => rulePredicate(env, model, 'create', alias) };
    return {
      holds: () => predicates.filter((predicate) => predicate !== null),
      stays: (alias) =>
        reads?.isFinal && mayBreakRules(reads, names) ? rulePredicate(env, model, 'write', alias) : null,
    };
  },
};

/** After the operation the rules must still allow the author each record: one statement a model, author and operation. */
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
