import type { Sql } from '@kontor/database';
import type { DomainNode, Operation } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import { createCompiler } from './compile-domain.ts';

/**
 * The record rules of an operation as a condition over a table alias; null if nothing restricts it. Like every condition it may be
 * null for false: use it after `where`, or `(…) is not true` for the rejected rows.
 */
export function rulePredicate(env: Env, model: Model, operation: Operation, alias: string): Sql | null {
  return createCompiler(env, alias).rules(model, operation, alias);
}

/** One rule as a condition over a table alias, whoever it is for, with the values of the acting user. */
export function ruleCondition(env: Env, model: Model, rule: DomainNode, alias: string): Sql {
  return createCompiler(env, alias, { readsStored: true }).trusted({ appliesRules: false }).node(model, rule, alias);
}
