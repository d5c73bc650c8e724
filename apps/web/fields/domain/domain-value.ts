import { type Domain, type DomainCondition, parseDomain } from '@kontor/protocol';

/** A stored domain: JSON, or text that holds JSON; null when it is none. */
export function readDomain(value: unknown): Domain | null {
  if (value === null || value === undefined || value === '') return [];
  try {
    const domain = typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
    parseDomain(domain);
    return domain as Domain;
  } catch {
    return null;
  }
}

export interface FlatDomain {
  readonly isAny: boolean;
  readonly conditions: readonly DomainCondition[];
}

/** Conditions that all hold, or of which one does; null for what is nested deeper than a person reads at a glance. */
export function flatDomain(domain: Domain): FlatDomain | null {
  const conditions = domain.filter((part): part is DomainCondition => Array.isArray(part));
  const signs = domain.filter((part) => !Array.isArray(part));
  if (signs.includes('!')) return null;
  const isAny = signs.length > 0 && signs.every((sign) => sign === '|') && signs.length === conditions.length - 1;
  if (!isAny && signs.includes('|')) return null;
  return { isAny, conditions };
}

export function toDomain({ isAny, conditions }: FlatDomain): Domain {
  return isAny ? [...conditions.slice(1).map(() => '|' as const), ...conditions] : conditions;
}
