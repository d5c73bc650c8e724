import type { DomainNode } from '@kontor/protocol';
import { ruleNode } from '../access/rule-node.ts';
import type { Env } from '../env.ts';
import type { Model } from '../model/model.ts';

/** Whether a write of these fields could take a record out of what the caller's rules let them write. */
export function ruleReads(env: Env, model: Model, changed: ReadonlySet<string>): boolean {
  const node = ruleNode(env, model, 'write');
  return (
    node !== null && someCondition(node, ([name]) => changed.has(name as string) || isDerived(model, name as string))
  );
}

/** What a computed field comes to after the write is not known yet. */
function isDerived(model: Model, name: string): boolean {
  const field = model.fields.get(name);
  return field === undefined || field.compute !== null || field.related !== null || name === 'display_name';
}

function someCondition(node: DomainNode, test: (path: readonly string[]) => boolean): boolean {
  switch (node.kind) {
    case 'condition':
      return test(node.path);
    case 'not':
      return someCondition(node.node, test);
    case 'and':
    case 'or':
      return node.nodes.some((each) => someCondition(each, test));
    default:
      return false;
  }
}
