import type { Sql } from '@kontor/database';
import type { DomainNode } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import { createCompiler } from './create-compiler.ts';

/**
 * A domain as a condition over a table alias, under the env's rights: fields that the caller may not read are refused, related
 * records that a rule hides are not reached. The record rules of the model itself are `rulePredicate`'s.
 *
 * The condition is true where the domain holds, and false or null elsewhere: put it after `where`. For the rows where it does
 * not hold, negate the domain, not the SQL.
 */
export function domainToSql(env: Env, model: Model, node: DomainNode, alias: string): Sql {
  return createCompiler(env, alias).node(model, node, alias);
}
