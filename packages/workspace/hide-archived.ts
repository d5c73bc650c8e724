import type { Model } from '@kontor/orm';
import { condition, conditionsIn, conjoin, type DomainNode } from '@kontor/protocol';

/** Archived records stay out of the way, unless somebody asks about them. */
export function hideArchived(model: Model, node: DomainNode): DomainNode {
  if (!model.hasActive || mentionsActive(node)) return node;
  return conjoin(node, condition('active', '=', true));
}

function mentionsActive(node: DomainNode): boolean {
  return conditionsIn(node).some(({ path }) => path.length === 1 && path[0] === 'active');
}
