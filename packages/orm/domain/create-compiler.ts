import { ident, type Sql, sql } from '@kontor/database';
import { type DomainTokens, fillTokens, lruCache, type Operation } from '@kontor/protocol';
import { mayAccessModel } from '../access/model-access.ts';
import { rightsNumber } from '../access/rights-number.ts';
import { ruleNode, wholeOf } from '../access/rule-node.ts';
import type { Env, Model } from '../model/model.ts';
import { allOf } from './combine.ts';
import { compileNode } from './compile-node.ts';
import type { Compiler } from './compiler.ts';
import { compileDisplayName } from './display-name.ts';
import { envTokens } from './env-tokens.ts';
import { compileField } from './field.ts';
import { compilePath } from './path.ts';

interface Statement {
  readonly env: Env;
  readonly root: string;
  /** Shared by every compiler of the statement. */
  readonly count: { aliases: number; exists: number };
  readonly tokens: () => DomainTokens;
  isLasting: boolean;
}

/** Rules are in every statement, and most of them are a comparison or two that never change. */
const keptRules = lruCache<string, { readonly sql: Sql | null }>(5_000);

/** Aliases are numbered from the outermost one, so that they cannot meet another of the statement around it. */
export function createCompiler(env: Env, root: string): Compiler {
  let tokens: DomainTokens | undefined;
  const statement: Statement = {
    env,
    root,
    count: { aliases: 0, exists: 0 },
    tokens: () => {
      tokens ??= envTokens(env, () => {
        statement.isLasting = false;
      });
      return tokens;
    },
    isLasting: true,
  };
  return make(statement, { checksRights: !env.isSudo, appliesRules: !env.isSudo, trail: [] });
}

function make(statement: Statement, state: Pick<Compiler, 'checksRights' | 'appliesRules' | 'trail'>): Compiler {
  const { env } = statement;
  const compiler: Compiler = {
    env,
    ...state,
    alias: () => `${statement.root}_${++statement.count.aliases}`,
    countExists: () => ++statement.count.exists,
    get isLasting() {
      return statement.isLasting;
    },
    holdsNow() {
      statement.isLasting = false;
    },
    node: (model, node, alias) => compileNode(compiler, model, fillTokens(node, statement.tokens()), alias),
    field: (model, field, alias) => compileField(compiler, model, field, alias),
    path: (model, path, alias) => compilePath(compiler, model, path, alias),
    displayName: (model, alias) => compileDisplayName(compiler, model, alias),
    rules(model, operation, alias) {
      if (env.isSudo) return null;
      const key = `${rightsNumber(env)} ${model.name} ${operation} ${alias}`;
      const known = keptRules.get(key);
      if (known) return known.sql;
      const node = ruleNode(env, model, operation);
      const trusted = compiler.trusted({ appliesRules: false });
      const compile = (): Sql | null => {
        const parts = [node && trusted.node(model, node, alias), rulesOfWhole(trusted, model, operation, alias)];
        return parts.every((part) => part === null) ? null : allOf(parts);
      };
      const { result, isWhole } = inIsolation(statement, compile);
      if (isWhole) keptRules.set(key, { sql: result });
      return result;
    },
    visible(model, alias) {
      if (!compiler.appliesRules) return null;
      return mayAccessModel(env, model, 'read') ? compiler.rules(model, 'read', alias) : sql`false`;
    },
    trusted: (options) => make(statement, { ...state, ...options, checksRights: false }),
    within: (step) => make(statement, { ...state, checksRights: false, trail: [...state.trail, step] }),
  };
  return compiler;
}

/** The record that a row is part of is one that the caller may see, or change. Its alias is in no other scope. */
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

/** Whether what was compiled would be the same in any other statement: it took no alias and did not ask for the time. */
function inIsolation<T>(statement: Statement, compile: () => T): { readonly result: T; readonly isWhole: boolean } {
  const { isLasting } = statement;
  const { aliases, exists } = statement.count;
  statement.isLasting = true;
  const result = compile();
  const isWhole = statement.isLasting && statement.count.aliases === aliases && statement.count.exists === exists;
  statement.isLasting &&= isLasting;
  return { result, isWhole };
}
