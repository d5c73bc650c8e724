import type { Sql } from '@kontor/database';
import type { DomainNode, Operation } from '@kontor/protocol';
import type { Env, Field, Model } from '../model/model.ts';

/**
 * One statement's worth of compiling. Conditions, fields and rules need each other at every step of a path; they meet here
 * instead of importing one another.
 */
export interface Compiler {
  readonly env: Env;
  /** Field rights and model access are checked; off for what the server itself says (rules, search functions, names). */
  readonly checksRights: boolean;
  /** Records hidden by a read rule are not reached; off inside rules, where it would go round in circles. */
  readonly appliesRules: boolean;
  /** A table alias that no other part of the statement has. */
  alias(): string;
  /** How many EXISTS the statement has by now, with the one that is being written. */
  countExists(): number;
  /** Whether the statement so far says the same at any time, for the same person under the same rights. */
  readonly isLasting: boolean;
  /** What is compiled now may be something else the next time. */
  holdsNow(): void;
  /** A condition: true where the domain holds, false or null where it does not. */
  node(model: Model, node: DomainNode, alias: string): Sql;
  field(model: Model, field: Field, alias: string): Sql;
  path(model: Model, path: readonly string[], alias: string): Sql;
  displayName(model: Model, alias: string): Sql;
  rules(model: Model, operation: Operation, alias: string): Sql | null;
  /** What a related record must satisfy to be reached; null: nothing. */
  visible(model: Model, alias: string): Sql | null;
  /** The same statement in the server's own words: no checks of rights, and no rules where `appliesRules` is off. */
  trusted(options?: { readonly appliesRules: boolean }): Compiler;
  /** What is being spelled out (`name of core.partner`), outermost first; by it things that contain themselves are found. */
  readonly trail: readonly string[];
  /** Trusted, and one step further on the trail. */
  within(step: string): Compiler;
}
