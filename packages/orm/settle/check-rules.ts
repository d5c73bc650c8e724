import { ident, sql } from '@kontor/database';
import { accessDenied } from '@kontor/protocol';
import { outcomeRefusals } from '../access/refusals.ts';
import { createCompiler } from '../domain/compile-domain.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import { keepsRules, mayBreakRules, ruleReads } from '../domain/rule-reads.ts';
import type { Env } from '../model/model.ts';
import { markRules } from '../operation/mark-for-checks.ts';
import { type RuleCheck, settleState } from '../operation/settle-state.ts';
import { type Concern, namesOf, type PlannedWrite, type Steps } from '../plan/concern.ts';

/** Record rules: what the caller may see and change, before and after the write. */
export const rules: Concern = {
  name: 'rules',
  plan: (write) => (write.operation === 'create' ? planCreate(write) : planWrite(write)),
};

function planCreate({ env, model }: PlannedWrite): Steps | null {
  const compiler = createCompiler(env, 'r');
  if (compiler.rules(model, 'create', 'r') === null) return null;
  if (!compiler.isCacheable || ruleReads(env, model, 'create')?.isFinal === false) return {};
  return { statement: (rights) => ({ stays: (alias) => rulePredicate(rights, model, 'create', alias) }) };
}

function planWrite({ env, model, fields }: PlannedWrite): Steps | null {
  // What a caller cannot see they cannot change either, whatever the other rules say.
  const asked = ['read', 'write'] as const;
  const compiler = createCompiler(env, 'r');
  if (asked.every((each) => compiler.rules(model, each, 'r') === null)) return null;
  const reads = ruleReads(env, model, 'write');
  const names = new Set(namesOf(fields));
  const mayBreak = reads?.isFinal === true && mayBreakRules(reads, names);
  const isOpen = reads?.isFinal === false;
  const rulesOf = (author: Env, alias: string) =>
    asked.flatMap((each) => rulePredicate(author, model, each, alias) ?? []);
  const stays = (author: Env, alias: string) => (mayBreak ? rulePredicate(author, model, 'write', alias) : null);
  const isStatement = compiler.isCacheable && keepsRules(env, model, names);
  return {
    allows: (author) => rulesOf(author, 'r'),
    stays: (author) => stays(author, 'r'),
    // Where the UPDATE cannot know, all rows are checked at the end.
    after: ({ env: author, touched, doubtful }) => markRules(author, model, isOpen ? [...touched] : doubtful, 'write'),
    ...(isStatement && {
      statement: (author: Env) => ({
        holds: () => rulesOf(author, 'o'),
        stays: (alias: string) => stays(author, alias),
      }),
    }),
  };
}

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
