import { ident, type Sql, sql } from '@kontor/database';
import { type ConditionNode, type DomainNode, negate } from '@kontor/protocol';
import { ruleNode, type Whole, wholeOf } from '../access/rule-node.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { createCompiler } from './compile-domain.ts';
import type { Compiler } from './compiler.ts';
import { allOf, anyOf, truth } from './criterion-sql.ts';
import { knownField } from './known-field.ts';

/** A past state of a record: an alias with its values at that time, the lists that are unknown, and further conditions. */
export interface Past {
  readonly alias: string;
  readonly mayDiffer: (list: Field) => Sql;
  readonly domain: DomainNode | null;
}

/**
 * Whether a user could read a record in a past state, over an alias with its values at that time; null if nothing restricts it.
 * Unknown facts count as permitted: lists that `mayDiffer`, and related records that were deleted. A reader with a copy must learn
 * that the record is gone; others only learn the id of a record that they can no longer see.
 */
export function pastRules(env: Env, model: Model, { alias, mayDiffer, domain }: Past): Sql | null {
  const compiler = createCompiler(env, alias, { readsStored: true }).trusted({ appliesRules: false });
  const node = ruleNode(env, model, 'read');
  const whole = wholeOf(env, model, 'read');
  const past = { compiler, model, alias, mayDiffer };
  // The caller's conditions use their rights, also on related records.
  const asked =
    domain && permissively({ ...past, compiler: createCompiler(env, alias, { readsStored: true }) }, domain);
  const parts = [node && permissively(past, node), whole && pastWholeRules(past, whole), asked];
  return parts.every((part) => part === null) ? null : allOf(parts);
}

interface PastRecord {
  readonly compiler: Compiler;
  readonly model: Model;
  readonly alias: string;
  readonly mayDiffer: (list: Field) => Sql;
}

function pastWholeRules({ compiler, model, alias }: PastRecord, { model: whole, link }: Whole): Sql | null {
  const inner = `${alias}_whole`;
  const rules = compiler.rules(whole, 'read', inner);
  if (rules === null) return null;
  const id = compiler.field(model, link, alias);
  const table = sql`${ident(whole.table)} as ${ident(inner)} where ${ident(inner, 'id')} = ${id}`;
  return anyOf([sql`exists (select 1 from ${table} and ${rules})`, sql`not exists (select 1 from ${table})`]);
}

/** Negations are pushed down, so that an unknown fact is true on either side of one. */
function permissively(past: PastRecord, node: DomainNode, isNegated = false): Sql {
  switch (node.kind) {
    case 'all':
      return truth(!isNegated);
    case 'none':
      return truth(isNegated);
    case 'not':
      return permissively(past, node.node, !isNegated);
    case 'condition':
      return anyOf([
        past.compiler.node(past.model, isNegated ? negate(node) : node, past.alias),
        ...unknown(past, node),
      ]);
    default: {
      const parts = node.nodes.map((one) => permissively(past, one, isNegated));
      return (node.kind === 'and') !== isNegated ? allOf(parts) : anyOf(parts);
    }
  }
}

function unknown({ compiler, model, alias, mayDiffer }: PastRecord, { path }: ConditionNode): readonly Sql[] {
  const field = knownField(model, path[0] as string);
  if (field.kind.isList) return [mayDiffer(field)];
  if (path.length === 1 || field.column === null) return [];
  const { table } = compiler.env.registry.model(field.spec.relation as string);
  const id = compiler.field(model, field, alias);
  return [sql`(${id} is not null and not exists (select 1 from ${ident(table)} gone where gone.id = ${id}))`];
}
