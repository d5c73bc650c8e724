import type { DefaultSource } from './spec.ts';

/**
 * The next number of a sequence, drawn when the record is created.
 * ```ts
 * const ticketFields = { name: fields.char({ required: true, readonly: true, default: sequence('desk.ticket') }) };
 * ```
 */
export function sequence(code: string): DefaultSource & { readonly source: 'sequence' } {
  return Object.freeze({ source: 'sequence', code });
}

/**
 * The user who creates the record.
 * ```ts
 * const ownerFields = { user_id: fields.many2one('core.user', { default: currentUser }) };
 * ```
 */
export const currentUser = Object.freeze({ source: 'user' } as const);
/**
 * The active company of the user who creates the record.
 * ```ts
 * const shopFields = { company_id: fields.many2one('core.company', { default: currentCompany }) };
 * ```
 */
export const currentCompany = Object.freeze({ source: 'company' } as const);
/**
 * The value of a field of the record's company: the company given for the record, or else the active company of the user who
 * creates it.
 * ```ts
 * const offerFields = { title: fields.char({ default: companyValue('name') }) };
 * ```
 */
export function companyValue<const Name extends string>(
  field: Name,
): { readonly source: 'company-value'; readonly field: Name } {
  return Object.freeze({ source: 'company-value', field });
}
/**
 * The day in the user's time zone.
 * ```ts
 * const visitFields = { day: fields.date({ required: true, default: today }) };
 * ```
 */
export const today = Object.freeze({ source: 'today' } as const);
/**
 * The time at which the record is created.
 * ```ts
 * const callFields = { started_at: fields.datetime({ required: true, default: now }) };
 * ```
 */
export const now = Object.freeze({ source: 'now' } as const);

const sources = new Set<unknown>(['sequence', 'company-value', 'user', 'company', 'today', 'now']);

export function isDefaultSource(value: unknown): value is DefaultSource {
  return typeof value === 'object' && value !== null && 'source' in value && sources.has(value.source);
}
