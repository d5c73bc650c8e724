import { dateIn, type Env } from '@kontor/addon';
import { openAccounts } from './accounts.ts';
import { type CompanyCurrency, converter, type NewEntry, writeEntries } from './write-entries.ts';

/** An entry for each payment that has none: what came in is debited to the bank and credited to the receivables. */
export async function bookPayments(env: Env, ids: readonly number[]): Promise<void> {
  const loaded = await env
    .model('invoice.payment')
    .load(ids, [
      ...(['name', 'type', 'state', 'date', 'amount', 'method', 'partner_id.id', 'company_id.id'] as const),
      ...(['company_id.currency_id.name', 'company_id.currency_id.decimal_places'] as const),
      ...(['currency_id.name', 'entry_ids.id'] as const),
    ]);
  const payments = loaded.filter(({ state, entry_ids: entries }) => state === 'posted' && entries.length === 0);
  if (payments.length === 0) return;
  const find = await openAccounts(
    env,
    payments.map(({ company_id: company }) => company.id),
  );
  const entries: NewEntry[] = [];
  for (const payment of payments) {
    const { company_id: company, currency_id: currency, type } = payment;
    const money = find(company.id, payment.method === 'cash' ? 'cash' : 'bank');
    const receivable = find(company.id, 'receivable');
    const convert = await converter(env, currency, company.currency_id as CompanyCurrency, payment.date);
    const paid = convert(payment.amount);
    const accounts = type === 'in' ? { debit: money, credit: receivable } : { debit: receivable, credit: money };
    entries.push({
      ...{ kind: 'payment', name: payment.name, date: payment.date, payment_id: payment.id, amount: paid.amount },
      ...{ partner_id: payment.partner_id.id, company_id: company.id, currency_id: currency.id },
      postings: [{ ...accounts, ...paid }],
    });
  }
  await writeEntries(env, entries);
}

const reversedPaths = [
  ...(['name', 'kind', 'date', 'amount', 'partner_id.id', 'company_id.id', 'reversal_ids.id'] as const),
  ...(['invoice_id.id', 'payment_id.id', 'allocation_id.id', 'posting_ids.debit_account_id.id'] as const),
  ...(['posting_ids.credit_account_id.id', 'posting_ids.amount', 'posting_ids.document_amount'] as const),
  'posting_ids.currency_id.id',
] as const;

/** Takes entries back by others that swap debit and credit, on the day on which it is done. */
export async function reverseEntries(env: Env, of: 'payment_id' | 'allocation_id', ids: readonly number[]) {
  const found = await env.model('accounting.entry').search([
    [of, 'in', [...ids]],
    ['kind', '!=', 'reversal'],
  ]);
  const entries = await env.model('accounting.entry').load(found, [...reversedPaths]);
  const today = dateIn(env.actor.tz, env.now);
  const reversals = entries
    .filter(({ reversal_ids: reversals }) => reversals.length === 0)
    .map((entry): NewEntry => {
      const [first] = entry.posting_ids;
      return {
        ...{ kind: 'reversal', name: entry.name, reversed_id: entry.id, amount: entry.amount },
        // A payment that is entered for a later day is taken back on that day.
        date: [entry.date, today].sort()[1] as string,
        ...{
          partner_id: entry.partner_id.id,
          company_id: entry.company_id.id,
          currency_id: first?.currency_id.id ?? 0,
        },
        ...{ invoice_id: entry.invoice_id?.id ?? null, payment_id: entry.payment_id?.id ?? null },
        allocation_id: entry.allocation_id?.id ?? null,
        postings: entry.posting_ids.map((posting) => ({
          ...{ debit: posting.credit_account_id.id, credit: posting.debit_account_id.id },
          ...{ amount: posting.amount, document: posting.document_amount },
        })),
      };
    });
  if (reversals.length > 0) await writeEntries(env, reversals);
}
