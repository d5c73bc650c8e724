import type { Sql } from '@kontor/database';
import type { DomainNode, Operation } from '@kontor/protocol';
import type { Env, Field, Model } from '../model/model.ts';

/**
 * Compiles the parts of one statement. Conditions, fields and rules need each other at every step of a path; they call each
 * other through this interface instead of importing one another.
 */
export interface Compiler {
  readonly env: Env;
  /** Field rights and model access are checked; off for conditions of the server itself (rules, search functions, names). */
  readonly checksRights: boolean;
  /** Records hidden by a read rule are not matched; off inside rules, where it would recurse. */
  readonly appliesRules: boolean;
  /** Shipped texts are read as they are stored, not in the reader's language: for values that are compared or stored. */
  readonly readsStored: boolean;
  /** A table alias that no other part of the statement has. */
  alias(): string;
  /** How many EXISTS the statement has so far, including the current one. */
  countExists(): number;
  /** Whether the statement so far would be the same at any time, for the same user with the same rights. */
  readonly isCacheable: boolean;
  /** The statement may differ the next time, so it must not be cached. */
  forbidCaching(): void;
  /** A condition: true if the domain matches, false or null if it does not. */
  node(model: Model, node: DomainNode, alias: string): Sql;
  field(model: Model, field: Field, alias: string): Sql;
  path(model: Model, path: readonly string[], alias: string): Sql;
  displayName(model: Model, alias: string): Sql;
  rules(model: Model, operation: Operation, alias: string): Sql | null;
  /** With `idsOnly` the target's table is left out if the link table has the ids and nothing is hidden. */
  reach(place: FieldPlace, options?: { readonly idsOnly?: boolean }): Reach;
  /** The condition for a related record to be matched; null: none. */
  visible(model: Model, alias: string): Sql | null;
  /** The same statement for conditions of the server itself: no checks of rights, and no rules if `appliesRules` is off. */
  trusted(options?: { readonly appliesRules?: boolean; readonly readsStored?: boolean }): Compiler;
  /** What is being compiled (`name of core.partner`), outermost first, to detect recursion. */
  readonly expanding: readonly string[];
  /** Trusted, with one more step in `expanding`. */
  within(step: string): Compiler;
}

export interface FieldPlace {
  readonly model: Model;
  readonly field: Field;
  readonly alias: string;
}

/** The records that a relation leads to, from one row. */
export interface Reach {
  readonly target: Model;
  /** Tables for the `from` clause. */
  readonly from: Sql;
  /** The condition that joins their rows to the row. */
  readonly link: Sql;
  /** Alias of the target's table. */
  readonly alias: string;
  readonly id: Sql;
  /**
   * Whether some visible record matches the condition; without a condition, whether there is a visible record. Never
   * null.
   */
  exists(condition?: (alias: string) => Sql): Sql;
}
