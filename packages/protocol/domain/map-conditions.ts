import type { DomainNode } from './tree.ts';

export type ConditionNode = Extract<DomainNode, { kind: 'condition' }>;

/** The same tree with every condition replaced; parts that do not change are shared. */
export function mapConditions(node: DomainNode, change: (condition: ConditionNode) => DomainNode): DomainNode {
  switch (node.kind) {
    case 'condition':
      return change(node);
    case 'not': {
      const inner = mapConditions(node.node, change);
      return inner === node.node ? node : { kind: 'not', node: inner };
    }
    case 'and':
    case 'or': {
      const nodes = node.nodes.map((one) => mapConditions(one, change));
      return nodes.every((one, index) => one === node.nodes[index]) ? node : { kind: node.kind, nodes };
    }
    default:
      return node;
  }
}

export function conditionsIn(node: DomainNode): readonly ConditionNode[] {
  switch (node.kind) {
    case 'condition':
      return [node];
    case 'not':
      return conditionsIn(node.node);
    case 'and':
    case 'or':
      return node.nodes.flatMap(conditionsIn);
    default:
      return [];
  }
}
