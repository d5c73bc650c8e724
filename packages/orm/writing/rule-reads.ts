import type { DomainNode } from '@kontor/protocol';
import { isRestricted, ruleNode } from '../access/rule-node.ts';
import type { Env, Model } from '../model/model.ts';

/** What the caller's rules for an operation look at. */
interface RuleReads {
  readonly names: ReadonlySet<string>;
  /** Only columns that have their final value as soon as the row is stored: no computed field and no list among them. */
  readonly isFinal: boolean;
}

/** Null when no rule restricts the operation. */
export function ruleReads(env: Env, model: Model, operation: 'create' | 'write'): RuleReads | null {
  if (!isRestricted(env, model, operation)) return null;
  const names = new Set<string>(model.partOf === null ? [] : [model.partOf]);
  const node = ruleNode(env, model, operation);
  if (node) collect(node, names);
  return { names, isFinal: [...names].every((name) => isPlainColumn(model, name)) };
}

/** Whether after a write of these fields the caller's rules may no longer allow the record. */
export function mayBreakRules(reads: RuleReads | null, changed: ReadonlySet<string>): boolean {
  if (reads === null) return false;
  // The value of a computed field after the write is not known yet.
  return !reads.isFinal || [...reads.names].some((name) => changed.has(name));
}

function isPlainColumn(model: Model, name: string): boolean {
  const field = model.fields.get(name);
  return field !== undefined && field.column !== null && field.compute === null && field.related === null;
}

function collect(node: DomainNode, names: Set<string>): void {
  switch (node.kind) {
    case 'condition':
      names.add(node.path[0] as string);
      break;
    case 'not':
      collect(node.node, names);
      break;
    case 'and':
    case 'or':
      for (const each of node.nodes) collect(each, names);
      break;
  }
}
