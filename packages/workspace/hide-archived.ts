import type { Model } from '@kontor/orm';
import { conjoin, type DomainNode } from '@kontor/protocol';

/** Archived records stay out of the way, unless somebody asks about them. */
export function hideArchived(model: Model, node: DomainNode): DomainNode {
  if (!model.hasActive || mentionsActive(node)) return node;
  return conjoin(node, { kind: 'condition', path: ['active'], operator: '=', value: true });
}

function mentionsActive(node: DomainNode): boolean {
  switch (node.kind) {
    case 'condition':
      return node.path.length === 1 && node.path[0] === 'active';
    case 'not':
      return mentionsActive(node.node);
    case 'and':
    case 'or':
      return node.nodes.some(mentionsActive);
    default:
      return false;
  }
}
