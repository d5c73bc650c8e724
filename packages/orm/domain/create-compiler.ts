import { sql } from '@kontor/database';
import { type DomainTokens, fillTokens } from '@kontor/protocol';
import { mayAccessModel } from '../access/model-access.ts';
import { ruleNode } from '../access/rule-node.ts';
import type { Env } from '../env.ts';
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
}

/** Aliases are numbered from the outermost one, so that they cannot meet another of the statement around it. */
export function createCompiler(env: Env, root: string): Compiler {
  let tokens: DomainTokens | undefined;
  const statement: Statement = {
    env,
    root,
    count: { aliases: 0, exists: 0 },
    tokens: () => {
      tokens ??= envTokens(env);
      return tokens;
    },
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
    node: (model, node, alias) => compileNode(compiler, model, fillTokens(node, statement.tokens()), alias),
    field: (model, field, alias) => compileField(compiler, model, field, alias),
    path: (model, path, alias) => compilePath(compiler, model, path, alias),
    displayName: (model, alias) => compileDisplayName(compiler, model, alias),
    rules(model, operation, alias) {
      const node = ruleNode(env, model, operation);
      return node === null ? null : compiler.trusted({ appliesRules: false }).node(model, node, alias);
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
