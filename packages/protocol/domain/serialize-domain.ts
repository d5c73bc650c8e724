import type { Domain, DomainCondition, DomainNode } from './tree.ts';

/** The wire form; parsing it returns an equivalent tree. */
export function serializeDomain(node: DomainNode): Domain {
  if (node.kind === 'all') return [];
  return node.kind === 'and' ? node.nodes.flatMap(items) : items(node);
}

function items(node: DomainNode): Domain {
  switch (node.kind) {
    case 'all':
      return constant(true);
    case 'none':
      return constant(false);
    case 'not':
      return ['!', ...items(node.node)];
    case 'condition':
      return [[node.path.join('.'), node.operator, node.value] as DomainCondition];
    default:
      return balanced(node.kind, node.nodes);
  }
}

/** Halving keeps a long list of alternatives far below the depth limit, which a chain would exceed. */
function balanced(kind: 'and' | 'or', nodes: readonly DomainNode[]): Domain {
  if (nodes.length === 0) return constant(kind === 'and');
  if (nodes.length === 1) return items(nodes[0] as DomainNode);
  const middle = Math.ceil(nodes.length / 2);
  const operator = kind === 'and' ? '&' : '|';
  return [operator, ...balanced(kind, nodes.slice(0, middle)), ...balanced(kind, nodes.slice(middle))];
}

/** The wire format has no constants; these two conditions stand for them, because every record has an id. */
function constant(holds: boolean): Domain {
  return [['id', holds ? 'not in' : 'in', []]];
}
