import type { DomainNode, DomainOperator } from './tree.ts';

const all: DomainNode = Object.freeze({ kind: 'all' });
const none: DomainNode = Object.freeze({ kind: 'none' });

/** One condition, of a path with dots. */
export function condition(path: string, operator: DomainOperator, value: unknown): DomainNode {
  return { kind: 'condition', path: path.split('.'), operator, value };
}

/** All of them hold. */
export function conjoin(...nodes: readonly DomainNode[]): DomainNode {
  return combine('and', nodes, all, none);
}

/** At least one of them holds; of no nodes, none does. */
export function disjoin(...nodes: readonly DomainNode[]): DomainNode {
  return combine('or', nodes, none, all);
}

export function negate(node: DomainNode): DomainNode {
  if (node.kind === 'all') return none;
  if (node.kind === 'none') return all;
  return node.kind === 'not' ? node.node : { kind: 'not', node };
}

function combine(
  kind: 'and' | 'or',
  nodes: readonly DomainNode[],
  neutral: DomainNode,
  deciding: DomainNode,
): DomainNode {
  const flat: DomainNode[] = [];
  for (const node of nodes) {
    if (node.kind === deciding.kind) return deciding;
    if (node.kind === kind) flat.push(...node.nodes);
    else if (node.kind !== neutral.kind) flat.push(node);
  }
  if (flat.length === 0) return neutral;
  return flat.length === 1 ? (flat[0] as DomainNode) : { kind, nodes: flat };
}
