import {
  type Env,
  formatAmount,
  formatDate,
  ibanText,
  type PortalPayment,
  type PortalSpec,
  wordsIn,
} from '@kontor/addon';
import { findDocument } from './archive.ts';
import { drawInvoice } from './draw-invoice.ts';
import { langOf, loadInvoice } from './load-invoice.ts';
import { paymentCode } from './payment-code.ts';

/** What customers see of invoices: those that were posted. */
export const invoicePortal: PortalSpec<Env> = {
  label: 'Invoices',
  customer: 'partner_id',
  where: [['state', '=', 'posted']],
  title: 'name',
  date: 'invoice_date',
  kind: 'type',
  status: 'payment_state',
  contact: 'user_id',
  shows: ['due_date', 'delivery_date', 'delivery_end', 'client_reference', 'note'],
  sums: ['amount_untaxed', 'amount_tax'],
  total: 'amount_total',
  lines: {
    ...{ field: 'line_ids', title: 'name', kind: 'line_type' },
    ...{ quantity: 'quantity', unit: 'uom_id.name', price: 'price_unit', amount: 'price_subtotal' },
  },
  allows: ['comment', 'attach'],
  document: documentOf,
  payment: whatIsDue,
};

/** As it was sent or printed. A reader changes nothing, so one that was never sent is drawn and not archived. */
async function documentOf(env: Env, id: number) {
  return (await findDocument(env, id, 'invoice')) ?? drawInvoice(env, id);
}

async function whatIsDue(env: Env, id: number): Promise<PortalPayment | null> {
  const invoice = await loadInvoice(env, id);
  const { company_id: company, amount_residual: left, currency_id: currency } = invoice;
  if (invoice.type === 'credit' || !left.gt(0)) return null;
  const lang = langOf(invoice);
  const { say } = wordsIn(env, lang, 'invoice');
  const details = [
    [say('Payee'), company.name],
    [say('Bank'), company.bank_name],
    ['IBAN', company.iban && ibanText(company.iban)],
    ['BIC', company.bic],
    [say('Reference'), invoice.name],
  ] as const;
  return {
    amount: formatAmount(left, currency, lang),
    due: formatDate(invoice.due_date, lang) || null,
    details: details.flatMap(([label, value]) => (value ? [[label, value] as const] : [])),
    code: paymentCode({ ...invoice, amount_total: left }),
  };
}
