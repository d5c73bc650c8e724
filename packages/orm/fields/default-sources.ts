import type { DefaultSource } from './spec.ts';

/**
 * The next number of a sequence, drawn when the record is created; in `sets` of a move, when it moves, unless it has a number. The code
 * may have values of the record (`desk.{kind}`), and `on` names its date that a yearly sequence counts by; without it, today counts.
 * ```ts
 * const ticketFields = { name: fields.char({ required: true, readonly: true, default: sequence('desk.ticket') }) };
 * ```
 */
export function sequence<const On extends string = never>(
  code: string,
  options: { readonly on?: On } = {},
): { readonly source: 'sequence'; readonly code: string; readonly on?: On } {
  return Object.freeze({ source: 'sequence', code, ...options });
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

export function isSequence(value: unknown): value is Sequence {
  return isDefaultSource(value) && value.source === 'sequence';
}

/** A `sequence` as a source. */
export type Sequence = DefaultSource & { readonly source: 'sequence' };

/** The fields of the record that decide which number it gets. */
export function sequenceFields({ code, on }: Sequence): string[] {
  return [...code.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string).concat(on ?? []);
}

/** The code with the values of a record. */
export function sequenceOf({ code }: Sequence, at: (field: string) => unknown): string {
  return code.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(at(name) ?? ''));
}
