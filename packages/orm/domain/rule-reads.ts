import type { DomainNode } from '@kontor/protocol';
import { isRestricted, ruleNode } from '../access/rule-node.ts';
import type { Env, Field, Model } from '../model/model.ts';

/** The fields that the caller's rules for an operation read. */
interface RuleReads {
  readonly names: ReadonlySet<string>;
  /** Only columns that have their final value as soon as the row is stored: no computed fields or lists. */
  readonly isFinal: boolean;
}

/** Null if no rule restricts the operation. */
export function ruleReads(env: Env, model: Model, operation: 'create' | 'write'): RuleReads | null {
  if (!isRestricted(env, model, operation)) return null;
  const names = new Set<string>(model.partOf === null ? [] : [model.partOf]);
  const node = ruleNode(env, model, operation);
  for (const path of node ? pathsOf(node) : []) names.add(path[0] as string);
  return { names, isFinal: [...names].every((name) => isPlainColumn(model, name)) };
}

/** Whether after a write of these fields the caller's rules may no longer allow the record. */
export function mayBreakRules(reads: RuleReads | null, changed: ReadonlySet<string>): boolean {
  if (reads === null) return false;
  // The value of a computed field after the write is not known yet.
  return !reads.isFinal || [...reads.names].some((name) => changed.has(name));
}

/**
 * Whether a write of these fields, after which no stored value is recomputed, can be judged by the stored row alone: rules over
 * lists or computed columns are unaffected, unless one of the fields is part of a path.
 */
export function keepsRules(env: Env, model: Model, changed: ReadonlySet<string>): boolean {
  if (ruleReads(env, model, 'write')?.isFinal !== false) return true;
  const node = ruleNode(env, model, 'write');
  const paths = node ? [...pathsOf(node)] : [];
  return !changed.has(model.partOf ?? '') && paths.every((path) => isAsBefore(env, model, path, changed));
}

function isAsBefore({ registry }: Env, model: Model, path: readonly string[], changed: ReadonlySet<string>): boolean {
  let place: Model | null = model;
  for (const name of path) {
    const field: Field | undefined = place?.fields.get(name);
    // A value that is computed on read may depend on anything.
    if (!field || changed.has(name) || (field.column === null && !field.kind.isList)) return false;
    place = field.spec.relation ? registry.model(field.spec.relation) : null;
  }
  return true;
}

function isPlainColumn(model: Model, name: string): boolean {
  const field = model.fields.get(name);
  return field !== undefined && field.column !== null && field.compute === null && field.related === null;
}

function* pathsOf(node: DomainNode): Iterable<readonly string[]> {
  if (node.kind === 'condition') yield node.path;
  else if (node.kind === 'not') yield* pathsOf(node.node);
  else if (node.kind === 'and' || node.kind === 'or') for (const each of node.nodes) yield* pathsOf(each);
}
