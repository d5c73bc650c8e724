import {
  type ConditionNode,
  conditionsIn,
  type DomainNode,
  invalidArgs,
  isToken,
  type KontorError,
} from '@kontor/protocol';
import { mapInTurns } from '../fields/to-json.ts';
import type { Env, Field, Model } from '../model/model.ts';

/**
 * The limits of one call, checked before it runs. A relation in a condition takes the database about 0.4 MB to plan for
 * each step that led to it, a joined relation about 1 MB.
 */
export const budgets = {
  /** The number of relations in the conditions of a domain, in total. */
  relations: 120,
  /** Relations that one statement joins for fields, order, groups and measures. */
  joins: 64,
  /**
   * Paths of a projection, including nested ones: for external callers, and for server code, whose views may be large.
   */
  paths: { outside: 200, inside: 2_000 },
  /** Rows of a `read_group`. */
  groups: 10_000,
  /** The maximum size in bytes of the result of one statement. */
  bytes: 32_000_000,
} as const;

export interface Overrun {
  readonly budget: 'relations' | 'joins' | 'paths' | 'groups' | 'bytes';
  readonly limit: number;
  readonly message: string;
  readonly field?: string;
  readonly hint?: string;
}

export function overBudget({ message, ...details }: Overrun): KontorError {
  return invalidArgs(message, details);
}

export function answerTooLarge(): KontorError {
  return overBudget({
    budget: 'bytes',
    limit: budgets.bytes,
    message: `The answer is larger than ${budgets.bytes} bytes.`,
    hint: 'Ask for fewer records or fields.',
  });
}

/** Rows as the text of a JSON array, a few at a time and within the limit of an answer. */
export async function writeAnswer<Row>(rows: readonly Row[], write: (row: Row) => string): Promise<string> {
  let length = 0;
  const texts = await mapInTurns(rows, (row) => {
    const text = write(row);
    length += text.length;
    if (length > budgets.bytes) throw answerTooLarge();
    return text;
  });
  return `[${texts.join()}]`;
}

/** Server code under `sudo` has no limits; record rules are not the caller's and are not counted. */
export function checkDomainCost(env: Env, model: Model, domain: DomainNode): void {
  if (env.isSudo || relationsOf(env, model, domain) <= budgets.relations) return;
  throw overBudget({
    budget: 'relations',
    limit: budgets.relations,
    message: `The conditions of a domain go through at most ${budgets.relations} relations in all.`,
    field: 'domain',
    hint: 'Ask for several values of a path with one "in".',
  });
}

function relationsOf(env: Env, model: Model, domain: DomainNode): number {
  return conditionsIn(domain).reduce((sum, one) => {
    return sum + one.path.length - 1 + (asksRelated(fieldAt(env, model, one.path), one) ? 1 : 0);
  }, 0);
}

/** Null if there is no such field, which is rejected elsewhere. */
function fieldAt(env: Env, model: Model, path: readonly string[]): Field | null {
  let at: Model | undefined = model;
  let field: Field | undefined;
  for (const name of path) {
    field = at?.fields.get(name);
    at = field?.spec.relation === undefined ? undefined : env.registry.model(field.spec.relation);
  }
  return field ?? null;
}

/** Whether a condition needs other records than the one with the field: only the id of a many2one is in that itself. */
function asksRelated(field: Field | null, { operator, value }: ConditionNode): boolean {
  if (operator === 'child_of' || operator === 'parent_of') return true;
  if (field?.spec.relation === undefined) return false;
  return field.kind.isList || [value].flat().some((one) => typeof one === 'string' && !isToken(one));
}
