import type { Model } from '@kontor/orm';
import {
  type AnyDomain,
  condition,
  conditionsIn,
  conjoin,
  type DomainNode,
  domainTree,
  mapConditions,
} from '@kontor/protocol';

/** Archived records are left out, unless the domain has a condition on them. */
export function hideArchived(model: Model, node: DomainNode): DomainNode {
  if (!model.hasActive || mentionsActive(node)) return node;
  return conjoin(node, condition('active', '=', true));
}

function mentionsActive(node: DomainNode): boolean {
  return conditionsIn(node).some(({ path }) => path.length === 1 && path[0] === 'active');
}

/** The domain of an action with the records that it was opened from filled in: `$active_id`, `["$active_ids"]`. */
export function fillActive(domain: AnyDomain, activeIds: readonly number[]): DomainNode {
  return mapConditions(treeOf(domain), (condition) => {
    const { value: given } = condition;
    const value = Array.isArray(given) ? filledList(given, activeIds) : activeValue(given, activeIds);
    return value === given ? condition : { ...condition, value };
  });
}

const trees = new WeakMap<AnyDomain, DomainNode>();

/**
 * Actions are stored as they were read, and a broken domain is an error of its own action only: so each is parsed once, when it is
 * opened.
 */
function treeOf(domain: AnyDomain): DomainNode {
  const known = trees.get(domain);
  if (known) return known;
  const tree = domainTree(domain);
  trees.set(domain, tree);
  return tree;
}

function filledList(given: readonly unknown[], activeIds: readonly number[]): readonly unknown[] {
  const isFilled = given.some((one) => one === '$active_id' || one === '$active_ids');
  return isFilled ? given.flatMap((one) => activeValue(one, activeIds)) : given;
}

export function activeValue(value: unknown, activeIds: readonly number[]): unknown {
  if (value === '$active_id') return activeIds[0] ?? null;
  if (value === '$active_ids') return activeIds;
  return value;
}
