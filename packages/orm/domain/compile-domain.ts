import { ident, type Sql, sql } from '@kontor/database';
import {
  type ConditionNode,
  type DomainNode,
  type DomainTokens,
  dateIn,
  disjoin,
  fillTokens,
  invalidArgs,
  isNegativeOperator,
  lruCache,
  negate,
  type Operation,
  type PositiveOperator,
  parseAuthoredDomain,
  positiveOperator,
  toCriterion,
  valueTypeOf,
} from '@kontor/protocol';
import { checkFieldRead } from '../access/field-access.ts';
import { checkModelAccess, mayAccessModel, mayOwnerAccess } from '../access/model-access.ts';
import { rightsNumber } from '../access/rights-number.ts';
import { ruleNode, wholeOf } from '../access/rule-node.ts';
import type { ComputeByValue } from '../model/behaviour.ts';
import { setNameOf, setValues } from '../model/expand-sets.ts';
import type { Env, Field, Model, Registry } from '../model/model.ts';
import { weeksOf } from '../model/policy.ts';
import { compileDisplayName, compileField, compilePath } from './compile-field.ts';
import type { Compiler, FieldPlace, Reach } from './compiler.ts';
import { allOf, anyOf, fieldSql, hierarchySql, many2oneSql, truth, x2manySql } from './criterion-sql.ts';
import { knownField, relatedModel } from './known-field.ts';
import { reach } from './reach.ts';

/**
 * A domain as a condition over a table alias, with the env's rights: fields that the caller may not read are rejected, related
 * records that a rule hides are not matched. `rulePredicate` adds the record rules of the model itself.
 *
 * The condition is true where the domain holds, and false or null elsewhere: put it after `where`. For the rows where it does
 * not hold, negate the domain, not the SQL.
 */
export function domainToSql(env: Env, model: Model, node: DomainNode, alias: string): Sql {
  return createCompiler(env, alias).node(model, node, alias);
}

/** Shared by every compiler of one statement. */
class Statement {
  readonly env: Env;
  readonly root: string;
  readonly count = { aliases: 0, exists: 0 };
  isCacheable = true;
  #tokens: DomainTokens | undefined;

  constructor(env: Env, root: string) {
    this.env = env;
    this.root = root;
  }

  get tokens(): DomainTokens {
    this.#tokens ??= envTokens(this.env, () => {
      this.isCacheable = false;
    });
    return this.#tokens;
  }
}

/** Rules are in every statement, and most of them are a comparison or two that never change. */
const keptRules = lruCache<string, { readonly sql: Sql | null }>(5_000);

/** Aliases are numbered from the outermost one, so that they cannot clash with those of the surrounding statement. */
export function createCompiler(env: Env, root: string, { readsStored = false } = {}): Compiler {
  return new StatementCompiler(new Statement(env, root), !env.isSudo, !env.isSudo, [], readsStored);
}

/** A class: one is created for every statement, and an object with functions of its own is slow to create. */
class StatementCompiler implements Compiler {
  readonly #statement: Statement;
  readonly env: Env;
  readonly checksRights: boolean;
  readonly appliesRules: boolean;
  readonly expanding: readonly string[];
  readonly readsStored: boolean;

  constructor(
    statement: Statement,
    checksRights: boolean,
    appliesRules: boolean,
    expanding: readonly string[],
    readsStored: boolean,
  ) {
    this.#statement = statement;
    this.env = statement.env;
    this.checksRights = checksRights;
    this.appliesRules = appliesRules;
    this.expanding = expanding;
    this.readsStored = readsStored;
  }

  get isCacheable(): boolean {
    return this.#statement.isCacheable;
  }

  alias(): string {
    return `${this.#statement.root}_${++this.#statement.count.aliases}`;
  }

  countExists(): number {
    return ++this.#statement.count.exists;
  }

  forbidCaching(): void {
    this.#statement.isCacheable = false;
  }

  node(model: Model, node: DomainNode, alias: string): Sql {
    const filled = fillTokens(node, this.#statement.tokens, (path) => isFreeText(this.env.registry, model, path));
    return compileNode(this, model, filled, alias);
  }

  field(model: Model, field: Field, alias: string): Sql {
    return compileField(this, model, field, alias);
  }

  path(model: Model, path: readonly string[], alias: string): Sql {
    return compilePath(this, model, path, alias);
  }

  displayName(model: Model, alias: string): Sql {
    return compileDisplayName(this, model, alias);
  }

  reach(place: FieldPlace, options?: { readonly idsOnly?: boolean }): Reach {
    return reach(this, place, options);
  }

  rules(model: Model, operation: Operation, alias: string): Sql | null {
    return keptRuleSql(this.#statement, this, { model, operation, alias });
  }

  visible(model: Model, alias: string): Sql | null {
    if (!this.appliesRules) return null;
    const mayRead = this.checksRights ? mayAccessModel : mayOwnerAccess;
    return mayRead(this.env, model, 'read') ? this.rules(model, 'read', alias) : sql`false`;
  }

  trusted({ appliesRules = this.appliesRules, readsStored = this.readsStored } = {}): Compiler {
    return new StatementCompiler(this.#statement, false, appliesRules, this.expanding, readsStored);
  }

  within(step: string): Compiler {
    return new StatementCompiler(
      this.#statement,
      false,
      this.appliesRules,
      [...this.expanding, step],
      this.readsStored,
    );
  }
}

function isFreeText(registry: Registry, model: Model, path: readonly string[]): boolean {
  let place = model;
  for (const step of path.slice(0, -1)) place = relatedModel(registry, knownField(place, step));
  return knownField(place, path.at(-1) as string).kind.isText;
}

/** The rules of an operation, compiled once per user with the same rights if possible. */
function keptRuleSql(
  statement: Statement,
  compiler: Compiler,
  { model, operation, alias }: { readonly model: Model; readonly operation: Operation; readonly alias: string },
): Sql | null {
  const { env } = statement;
  if (env.isSudo) return null;
  const key = `${rightsNumber(env)} ${env.scope?.key ?? ''} ${model.name} ${operation} ${alias}`;
  const known = keptRules.get(key);
  if (known) return known.sql;
  const node = ruleNode(env, model, operation);
  // What a rule allows does not depend on the reader's language.
  const trusted = compiler.trusted({ appliesRules: false, readsStored: true });
  const { result, isSelfContained } = inIsolation(statement, (): Sql | null => {
    const parts = [node && trusted.node(model, node, alias), rulesOfWhole(trusted, model, operation, alias)];
    return parts.every((part) => part === null) ? null : allOf(parts);
  });
  if (isSelfContained) keptRules.set(key, { sql: result });
  return result;
}

/** The record that a row is part of must be one that the caller may see, or change. Its alias is in no other scope. */
function rulesOfWhole(compiler: Compiler, model: Model, operation: Operation, alias: string): Sql | null {
  const whole = wholeOf(compiler.env, model, operation);
  if (whole === null) return null;
  const inner = `${alias}_whole`;
  const rules = compiler.rules(whole.model, whole.operation, inner);
  if (rules === null) return null;
  const link = compiler.field(model, whole.link, alias);
  const table = sql`${ident(whole.model.table)} as ${ident(inner)}`;
  const isSeen = sql`exists (select 1 from ${table} where ${ident(inner, 'id')} = ${link} and ${rules})`;
  return whole.link.required ? isSeen : sql`(${link} is null or ${isSeen})`;
}

/** Whether the compiled condition would be the same in any other statement: it used no alias and not the time. */
function inIsolation<T>(
  statement: Statement,
  compile: () => T,
): { readonly result: T; readonly isSelfContained: boolean } {
  const { isCacheable } = statement;
  const { aliases, exists } = statement.count;
  statement.isCacheable = true;
  const result = compile();
  const isSelfContained =
    statement.isCacheable && statement.count.aliases === aliases && statement.count.exists === exists;
  statement.isCacheable &&= isCacheable;
  return { result, isSelfContained };
}

/**
 * Negations are carried down to the conditions, where the exact complement is known: a NOT around a comparison would turn the
 * null of an empty value into null again, not into true.
 */
function compileNode(compiler: Compiler, model: Model, node: DomainNode, alias: string, isNegated = false): Sql {
  switch (node.kind) {
    case 'all':
      return truth(!isNegated);
    case 'none':
      return truth(isNegated);
    case 'not':
      return compileNode(compiler, model, node.node, alias, !isNegated);
    case 'condition':
      return compileQuestion(compiler, { model, alias, step: 0 }, questionOf(node, isNegated));
    default:
      return compileParts(compiler, { model, alias, step: 0 }, node.nodes, { isAll: node.kind === 'and', isNegated });
  }
}

function compileParts(
  compiler: Compiler,
  place: Place,
  nodes: readonly DomainNode[],
  { isAll, isNegated }: { readonly isAll: boolean; readonly isNegated: boolean },
): Sql {
  const questions: Question[] = [];
  const parts: Sql[] = [];
  for (const node of nodes) {
    const inner = node.kind === 'not' ? node.node : node;
    const isInverse = isNegated !== (node.kind === 'not');
    if (inner.kind === 'condition') questions.push(questionOf(inner, isInverse));
    else parts.push(compileNode(compiler, place.model, inner, place.alias, isInverse));
  }
  return combine([...compileQuestions(compiler, place, questions, isAll !== isNegated), ...parts], isAll !== isNegated);
}

function combine(parts: readonly Sql[], isAll: boolean): Sql {
  return isAll ? allOf(parts) : anyOf(parts);
}

const maxSearchedValues = 500;

/** A condition without its negation. */
interface Asked {
  readonly path: readonly string[];
  readonly operator: PositiveOperator;
  readonly value: unknown;
}

/** Conditions that must all hold, or one of them; more than one only if they continue through the same relation. */
interface Question {
  readonly asked: readonly [Asked, ...Asked[]];
  readonly isAll: boolean;
  readonly isNegated: boolean;
}

function questionOf({ path, operator, value }: ConditionNode, isNegated: boolean): Question {
  const asked: Asked = { path, operator: positiveOperator(operator), value };
  return { asked: [asked], isAll: true, isNegated: isNegated !== isNegativeOperator(operator) };
}

interface Place {
  readonly model: Model;
  readonly alias: string;
  readonly step: number;
}

/**
 * Conditions through the same relation share one EXISTS, so that a path costs the same however often it is named: "some line has a,
 * or some line has b" is "some line has a or b". For "and" this is true only if there is at most one record.
 */
function compileQuestions(compiler: Compiler, place: Place, questions: readonly Question[], isAll: boolean): Sql[] {
  const shared = new Map<string, Question>();
  for (const [index, { asked, isNegated }] of questions.entries()) {
    const [{ path }] = asked;
    const name = path[place.step] as string;
    const goesOn = path.length > place.step + 1;
    const mayShare = goesOn && (isAll === isNegated || place.model.fields.get(name)?.kind.isToOne === true);
    const key = mayShare ? `${name} ${isNegated}` : `${index}`;
    const known = shared.get(key);
    const both: Question['asked'] = known ? [...known.asked, ...asked] : asked;
    // The complement of "one of them" is "none of them".
    shared.set(key, { asked: both, isAll: isAll !== isNegated, isNegated });
  }
  return [...shared.values()].map((question) => compileQuestion(compiler, place, question));
}

/** Only the outermost step is negated: through a relation the complement of "some line" is "no line". */
function compileQuestion(compiler: Compiler, place: Place, { asked, isAll, isNegated }: Question): Sql {
  const { model, alias, step } = place;
  const [first] = asked;
  const field = knownField(model, first.path[step] as string);
  if (compiler.checksRights) checkFieldRead(compiler.env, field);
  if (step === first.path.length - 1) return compileLeaf(compiler, { model, alias, field }, first, isNegated);
  const target = relatedModel(compiler.env.registry, field);
  if (compiler.checksRights) checkModelAccess(compiler.env, target, 'read');
  const exists = compiler.reach({ model, field, alias }).exists((related) => {
    const next = { model: target, alias: related, step: step + 1 };
    const questions = asked.map((one): Question => ({ asked: [one], isAll: true, isNegated: false }));
    return combine(compileQuestions(compiler, next, questions, isAll), isAll);
  });
  return isNegated ? sql`not ${exists}` : exists;
}

function compileLeaf(
  compiler: Compiler,
  leaf: { readonly model: Model; readonly alias: string; readonly field: Field },
  given: Asked,
  isNegated: boolean,
): Sql {
  const { model, alias, field } = leaf;
  const set = setNameOf(given);
  const asked = set === null ? given : { ...given, value: setValues(field, given.path, set) };
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
  if (criterion.kind !== 'hierarchy') return fieldSql(compiler, leaf, criterion, isNegated);
  const inside = hierarchySql(compiler, model, criterion, compiler.field(model, field, alias));
  return isNegated ? sql`not ${inside}` : inside;
}

/**
 * The search function is called with one positive condition at a time, so that its author need not handle negations (they are
 * always the exact complement) or lists.
 */
function searchNode(compiler: Compiler, field: Field, compute: ComputeByValue, asked: Asked): DomainNode {
  const name = asked.path.join('.');
  const { search } = compute;
  if (search === undefined) {
    throw invalidArgs(`${field.model}.${field.name} is computed and not stored: it is not searchable.`, {
      field: name,
    });
  }
  // The result of the author's function may depend on anything.
  compiler.forbidCaching();
  if (compiler.expanding.includes(searchStep(field))) throw new Error(`The ${searchStep(field)} leads back to itself.`);
  const { operator, value } = asked;
  if (operator !== 'in') return parseAuthoredDomain(search(operator, value));
  const values = value as readonly unknown[];
  if (values.length > maxSearchedValues) {
    throw invalidArgs(`${name}: "in" takes at most ${maxSearchedValues} values of a computed field.`, { field: name });
  }
  return disjoin(...values.map((one) => parseAuthoredDomain(search('=', one))));
}

function searchStep(field: Field): string {
  return `search of ${field.model}.${field.name}`;
}

/** The values of `$uid`, `$company_id`, `$company_ids`, `$groups`, `$today` and `$now` in an env; reports when the time is used. */
export function envTokens(env: Env, onTime: () => void = () => {}): DomainTokens {
  return {
    uid: env.uid,
    companyId: env.actor.companyId,
    companyIds: env.actor.companyIds,
    weekStart: weeksOf(env).start,
    groups: [...env.actor.groups],
    get today() {
      onTime();
      return dateIn(env.actor.tz, env.now);
    },
    get now() {
      onTime();
      return env.now.toISOString();
    },
  };
}
