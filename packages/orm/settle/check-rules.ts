import { ident, sql } from '@kontor/database';
import { accessDenied } from '@kontor/protocol';
import { outcomeRefusals } from '../access/refusals.ts';
import { createCompiler } from '../domain/compile-domain.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import { keepsRules, mayBreakRules, ruleReads } from '../domain/rule-reads.ts';
import type { Env, Model } from '../model/model.ts';
import { debtsOf } from '../operation/settle-state.ts';
import { type Concern, namesOf, type PlannedWrite, type Steps } from '../plan/concern.ts';

/** Record rules: what the caller may see and change, before and after the write. */
export const rules: Concern = {
  name: 'rules',
  plan: (write) => (write.isCascade ? null : plans[write.operation](write)),
};

const plans = { create: planCreate, write: planWrite, unlink: planUnlink } as const;

function planCreate({ env, model }: PlannedWrite): Steps | null {
  const compiler = createCompiler(env, 'r');
  if (compiler.rules(model, 'create', 'r') === null) return null;
  const isFinal = ruleReads(env, model, 'create')?.isFinal !== false;
  const stays = (author: Env, alias: string) => rulePredicate(author, model, 'create', alias);
  return {
    stays: (author) => stays(author, 'r'),
    // If the INSERT cannot check them, all rows are checked at the end.
    after: ({ env: author, ids, doubtful }) => markRules(author, model, isFinal ? doubtful : ids, 'create'),
    ...(compiler.isCacheable &&
      isFinal && { statement: (author: Env) => ({ stays: (alias: string) => stays(author, alias) }) }),
  };
}

/** Records that a caller cannot see cannot be deleted either, whatever the other rules say. */
function planUnlink({ model }: PlannedWrite): Steps {
  const asked = ['read', 'unlink'] as const;
  return { allows: (author) => asked.flatMap((each) => rulePredicate(author, model, each, 'r') ?? []) };
}

function planWrite({ env, model, fields }: PlannedWrite): Steps | null {
  // Records that a caller cannot see cannot be changed either, whatever the other rules say.
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
    // If the UPDATE cannot check them, all rows are checked at the end.
    after: ({ env: author, touched, doubtful }) => markRules(author, model, isOpen ? [...touched] : doubtful, 'write'),
    ...(isStatement && {
      statement: (author: Env) => ({
        holds: () => rulesOf(author, 'o'),
        stays: (alias: string) => stays(author, alias),
      }),
    }),
  };
}

/** Records that their author must still be allowed to have when the operation ends. */
interface RuleCheck {
  readonly env: Env;
  readonly model: Model;
  readonly operation: 'create' | 'write';
  readonly ids: Set<number>;
}

type Authored = Map<string, RuleCheck>;

/** By author, then by model and operation. */
const dueRules = (env: Env): Map<Env['policy'], Map<Env['actor'], Authored>> => debtsOf(env, 'rules');

function markRules(env: Env, model: Model, ids: readonly number[], operation: RuleCheck['operation']): void {
  if (ids.length === 0 || env.isSudo) return;
  const byActor = dueRules(env).get(env.policy) ?? new Map<Env['actor'], Authored>();
  dueRules(env).set(env.policy, byActor);
  const checks = byActor.get(env.actor) ?? new Map<string, RuleCheck>();
  byActor.set(env.actor, checks);
  const key = `${operation} ${model.name}`;
  const check = checks.get(key) ?? { env, model, operation, ids: new Set() };
  checks.set(key, check);
  for (const id of ids) check.ids.add(id);
}

/**
 * After the operation the rules must still allow the author each record: one statement per model, author and operation.
 */
export async function checkRules(env: Env): Promise<void> {
  const due = dueRules(env);
  const checks = [...due.values()].flatMap((byActor) => [...byActor.values()].flatMap((each) => [...each.values()]));
  due.clear();
  for (const check of checks) await checkRule(check);
}

async function checkRule({ env, model, operation, ids }: RuleCheck): Promise<void> {
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
