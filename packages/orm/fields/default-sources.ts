import type { DefaultSource } from './spec.ts';

/** The next number of a sequence, drawn when the record is made. */
export function sequence(code: string): DefaultSource & { readonly source: 'sequence' } {
  return Object.freeze({ source: 'sequence', code });
}

export const currentUser = Object.freeze({ source: 'user' } as const);
export const currentCompany = Object.freeze({ source: 'company' } as const);
/** The day in the user's time zone. */
export const today = Object.freeze({ source: 'today' } as const);
export const now = Object.freeze({ source: 'now' } as const);

const sources = new Set<unknown>(['sequence', 'user', 'company', 'today', 'now']);

export function isDefaultSource(value: unknown): value is DefaultSource {
  return typeof value === 'object' && value !== null && 'source' in value && sources.has(value.source);
}
