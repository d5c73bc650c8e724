import { type Domain, type DomainCondition, parseDomain, serializeDomain, topConditions } from '@kontor/protocol';
import { unfinishedValue } from '../../data/form/invalid-values.ts';

export { topConditions };

/** A stored domain: JSON, or text that contains JSON; what is complete of one that is being edited; null if it is invalid. */
export function readDomain(given: unknown): Domain | null {
  const value = unfinishedValue(given) ?? given;
  if (value === null || value === undefined || value === '') return [];
  try {
    const domain = typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
    parseDomain(domain);
    return domain as Domain;
  } catch {
    return null;
  }
}

export function withoutCondition(domain: Domain, index: number, count = 1): Domain {
  return topConditions(domain)
    .filter((_, at) => at < index || at >= index + count)
    .flatMap(serializeDomain);
}

/** Adds a condition. A second value of the same field is combined with OR: one customer or the other. */
export function withCondition(domain: Domain, condition: DomainCondition): Domain {
  const [path, operator, value] = condition;
  let isMerged = false;
  const parts = topConditions(domain).map((node): Domain => {
    const isSame = node.kind === 'condition' && node.path.join('.') === path && operator === '=' && !isMerged;
    if (!isSame || (node.operator !== '=' && node.operator !== 'in')) return serializeDomain(node);
    isMerged = true;
    const values = node.operator === 'in' ? (node.value as readonly unknown[]) : [node.value];
    return [[path, 'in', [...new Set([...values, value])]]];
  });
  return isMerged ? parts.flat() : [...parts.flat(), condition];
}
