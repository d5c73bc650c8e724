import { type Domain, parseDomain } from '@kontor/protocol';

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
