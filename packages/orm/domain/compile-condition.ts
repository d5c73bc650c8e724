import { type Sql, sql } from '@kontor/database';
import {
  type ConditionNode,
  type DomainNode,
  disjoin,
  invalidArgs,
  isNegativeOperator,
  negate,
  type PositiveOperator,
  parseDomain,
  positiveOperator,
  toCriterion,
  valueTypeOf,
} from '@kontor/protocol';
import { checkFieldRead } from '../access/field-access.ts';
import { checkModelAccess } from '../access/model-access.ts';
import type { ComputeByValue } from '../model/behaviour.ts';
import type { Field, Model } from '../model/model.ts';
import type { Compiler } from './compiler.ts';
import { hierarchySql } from './hierarchy.ts';
import { knownField } from './known-field.ts';
import { reach, relatedModel } from './reach.ts';
import { many2oneSql, x2manySql } from './relation-criterion.ts';
import { scalarSql } from './scalar-criterion.ts';

const maxSearchedValues = 500;

/** A condition after its negation was taken off. */
interface Asked {
  readonly path: readonly string[];
  readonly operator: PositiveOperator;
  readonly value: unknown;
}

export function compileCondition(
  compiler: Compiler,
  model: Model,
  condition: ConditionNode,
  alias: string,
  isNegated: boolean,
): Sql {
  const { path, operator, value } = condition;
  const asked = { path, operator: positiveOperator(operator), value };
  return compileStep(compiler, { model, alias, step: 0 }, asked, isNegated !== isNegativeOperator(operator));
}

interface Place {
  readonly model: Model;
  readonly alias: string;
  readonly step: number;
}

/** Only the outermost step is negated: through a relation the complement of "some line" is "no line". */
function compileStep(compiler: Compiler, place: Place, asked: Asked, isNegated: boolean): Sql {
  const { model, alias, step } = place;
  const field = knownField(model, asked.path[step] as string);
  if (compiler.checksRights) checkFieldRead(compiler.env, field);
  if (step === asked.path.length - 1) return compileLeaf(compiler, { model, alias, field }, asked, isNegated);
  const target = relatedModel(compiler, field);
  if (compiler.checksRights) checkModelAccess(compiler.env, target, 'read');
  const exists = reach(compiler, { model, field, alias }).exists((related) =>
    compileStep(compiler, { model: target, alias: related, step: step + 1 }, asked, false),
  );
  return isNegated ? sql`not ${exists}` : exists;
}

function compileLeaf(
  compiler: Compiler,
  leaf: { readonly model: Model; readonly alias: string; readonly field: Field },
  asked: Asked,
  isNegated: boolean,
): Sql {
  const { model, alias, field } = leaf;
  if (field.compute !== null && 'value' in field.compute && !field.isStored) {
    const node = searchNode(compiler, field, field.compute, asked);
    return compiler.within(searchStep(field)).node(model, isNegated ? negate(node) : node, alias);
  }
  const type = valueTypeOf(field.spec.type, field.name);
  const { operator, value } = asked;
  const name = asked.path.join('.');
  const criterion = toCriterion({ type, operator, value, tz: compiler.env.actor.tz, field: name });
  if (field.kind.isList) return x2manySql(compiler, leaf, criterion, isNegated);
  if (field.kind.isToOne) return many2oneSql(compiler, leaf, criterion, isNegated);
  const column = compiler.field(model, field, alias);
  if (criterion.kind !== 'hierarchy') return scalarSql(column, type, criterion, isNegated);
  const inside = hierarchySql(compiler, model, criterion, column);
  return isNegated ? sql`not ${inside}` : inside;
}

/**
 * The search function is asked one positive question at a time, so that its author need not think of negations (they are always
 * the exact complement) nor of lists.
 */
function searchNode(compiler: Compiler, field: Field, compute: ComputeByValue, asked: Asked): DomainNode {
  const name = asked.path.join('.');
  const { search } = compute;
  if (search === undefined) {
    throw invalidArgs(`${field.model}.${field.name} is computed and not stored: it is not searchable.`, {
      field: name,
    });
  }
  // What the author's function answers may depend on anything.
  compiler.holdsNow();
  if (compiler.trail.includes(searchStep(field))) throw new Error(`The ${searchStep(field)} leads back to itself.`);
  const { operator, value } = asked;
  if (operator !== 'in') return parseDomain(search(operator, value));
  const values = value as readonly unknown[];
  if (values.length > maxSearchedValues) {
    throw invalidArgs(`${name}: "in" takes at most ${maxSearchedValues} values of a computed field.`, { field: name });
  }
  return disjoin(...values.map((one) => parseDomain(search('=', one))));
}

function searchStep(field: Field): string {
  return `search of ${field.model}.${field.name}`;
}
