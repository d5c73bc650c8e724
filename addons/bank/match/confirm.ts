import { type ActionCall, type Env, inSavepoint, KontorError, text, UserError } from '@kontor/addon';
import type { confirmAsks } from './asks.ts';
import { openBook } from './book.ts';
import { companyOf, type LoadedEntry, loadEntries, toMatched } from './matched.ts';
import { settle } from './settle.ts';
import { type Suggestion, suggestAll } from './suggest.ts';

/** The run of `confirm`: the move has locked the entries, so that nobody else confirms them. */
export async function confirmEntries({ env, records, answers }: ActionCall<'bank.entry', typeof confirmAsks>) {
  const entries = await loadEntries(env, records.ids);
  const { invoice_ids: invoiceIds, partner_id: partnerId } = answers;
  if (invoiceIds.length > 0 || partnerId !== null) {
    if (entries.length > 1) throw new UserError('Invoices are chosen for one entry at a time.');
    for (const entry of entries) await settle(env, entry, { invoiceIds, partnerId });
    return;
  }
  const suggestions = await suggestionsFor(env, entries);
  for (const entry of entries) {
    const best = suggestions.get(entry.id)?.[0];
    if (best?.level !== 'certain') {
      const entryName = `${entry.date} ${entry.party ?? ''}`.trim();
      throw new UserError(text('There is no certain match for {entry}. Choose the invoices.', { entry: entryName }));
    }
    await settle(env, entry, choiceOf(best));
  }
}

function choiceOf({ invoices, partnerId }: Suggestion) {
  return { invoiceIds: invoices.map(({ id }) => id), partnerId };
}

/** For entries in the order in which the bank booked them; each company has its own invoices. */
export async function suggestionsFor(env: Env, entries: readonly LoadedEntry[]) {
  const found = new Map<number, readonly Suggestion[]>();
  for (const company of new Set(entries.map(companyOf))) {
    const own = entries
      .filter((entry) => companyOf(entry) === company)
      .sort((a, b) => a.date.localeCompare(b.date) || a.id - b.id);
    const ibans = own.flatMap(({ iban }) => (iban === null ? [] : [iban]));
    const book = await openBook(env, company, ibans);
    for (const [id, suggestions] of suggestAll(own.map(toMatched), book)) found.set(id, suggestions);
  }
  return found;
}

export interface ConfirmedMany {
  readonly confirmed: readonly number[];
  readonly problems: readonly { readonly id: number; readonly message: KontorError }[];
}

/** Confirms those of the entries whose match is certain. One that fails does not stop the others. */
export async function confirmCertain(env: Env, ids: readonly number[]): Promise<ConfirmedMany> {
  const entries = (await loadEntries(env, ids)).filter(({ state }) => state === 'open');
  const suggestions = await suggestionsFor(env, entries);
  const confirmed: number[] = [];
  const problems: { id: number; message: KontorError }[] = [];
  for (const { id } of entries) {
    const best = suggestions.get(id)?.[0];
    if (best?.level !== 'certain') continue;
    const { invoiceIds: invoice_ids } = choiceOf(best);
    try {
      await inSavepoint(env, () => env.model('bank.entry').call([id], 'confirm', { invoice_ids }));
      confirmed.push(id);
    } catch (error) {
      if (!(error instanceof KontorError)) throw error;
      problems.push({ id, message: error });
    }
  }
  return { confirmed, problems };
}

/** The run of `reopen`: payments are undone, credit is given back, and what was learned from the entry is forgotten. */
export async function reopenEntries({ env, records }: ActionCall<'bank.entry'>): Promise<void> {
  const ids = [...records.ids];
  const payments = await env.model('invoice.payment').search([
    ['bank_entry_id', 'in', ids],
    ['state', '=', 'posted'],
  ]);
  if (payments.length > 0) await env.model('invoice.payment').call(payments, 'undo');
  const credits = await env.model('invoice.allocation').search([['bank_entry_id', 'in', ids]]);
  if (credits.length > 0) await env.model('invoice.allocation').unlink(credits);
  const learned = await env.model('bank.payer').search([['entry_id', 'in', ids]]);
  if (learned.length > 0) await env.model('bank.payer').unlink(learned);
}

/** A payment that was undone elsewhere leaves its entry open, whoever undid it; others of the entry are undone with it. */
export async function reopenUndone(env: Env, paymentIds: readonly number[]): Promise<void> {
  // As the server: whoever may undo the payment need not see the bank account.
  const payments = await env
    .sudo()
    .model('invoice.payment')
    .load(paymentIds, ['bank_entry_id.id', 'bank_entry_id.state']);
  const matched = payments.flatMap(({ bank_entry_id: entry }) => (entry?.state === 'matched' ? [entry.id] : []));
  if (matched.length > 0)
    await env
      .sudo()
      .model('bank.entry')
      .call([...new Set(matched)], 'reopen');
}
