import type { Env, Loaded } from '@kontor/addon';
import type { Matched } from './suggest.ts';

export const matchedPaths = [
  ...([
    'amount',
    'currency_id.id',
    'party',
    'iban',
    'reference',
    'text',
    'sent_amount',
    'sent_currency_id.id',
  ] as const),
  ...(['is_return', 'date', 'company_id.id', 'state', 'bank_reference', 'currency_id.decimal_places'] as const),
] as const;
export type LoadedEntry = Loaded<'bank.entry', (typeof matchedPaths)[number]>;

export function loadEntries(env: Env, ids: readonly number[]): Promise<readonly LoadedEntry[]> {
  return env.model('bank.entry').load(ids, [...matchedPaths]);
}

export function toMatched(entry: LoadedEntry): Matched {
  const { sent_amount: sent, sent_currency_id: currency } = entry;
  return {
    ...{ id: entry.id, amount: entry.amount, currencyId: entry.currency_id.id, party: entry.party, iban: entry.iban },
    ...{ reference: entry.reference, text: entry.text, isReturn: entry.is_return },
    sent: sent !== null && currency !== null ? { amount: sent, currencyId: currency.id } : null,
  };
}

export function companyOf(entry: LoadedEntry): number {
  return (entry.company_id as { readonly id: number } | null)?.id ?? 0;
}
