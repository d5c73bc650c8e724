import { type Domain, type DomainNode, mapConditions, parseDomain } from '@kontor/protocol';

/** The domain of an action with the records that it was opened from filled in: `$active_id`, `["$active_ids"]`. */
export function fillActive(domain: Domain, activeIds: readonly number[]): DomainNode {
  return mapConditions(parseDomain(domain), (condition) => {
    const { value: given } = condition;
    const value = Array.isArray(given) ? filledList(given, activeIds) : activeValue(given, activeIds);
    return value === given ? condition : { ...condition, value };
  });
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
