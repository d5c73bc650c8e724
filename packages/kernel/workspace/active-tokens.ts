import { type Domain, type DomainNode, mapConditions, parseDomain } from '@kontor/protocol';

/** The domain of an action with `$active_id` and `$active_ids` filled in: the records that it was opened from. */
export function fillActive(domain: Domain, activeIds: readonly number[]): DomainNode {
  return mapConditions(parseDomain(domain), (condition) => {
    const value = activeValue(condition.value, activeIds);
    return value === condition.value ? condition : { ...condition, value };
  });
}

export function activeValue(value: unknown, activeIds: readonly number[]): unknown {
  if (value === '$active_id') return activeIds[0] ?? null;
  if (value === '$active_ids') return activeIds;
  return value;
}
