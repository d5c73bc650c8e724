import { rateOn, ratePaths } from '@addons/base';
import { rateBetween } from '@addons/product';
import { Decimal, defineModel, editable, type FieldsOf, fields, today, withPrefix } from '@kontor/addon';

const allocationFields = {
  invoice_id: fields.many2one('invoice.invoice', {
    required: true,
    checkCompany: true,
    domain: [['payment_state', 'in', 'due']],
  }),
  payment_id: fields.many2one('invoice.payment', { checkCompany: true, ondelete: 'cascade' }),
  credit_id: fields.many2one('invoice.invoice', {
    label: 'Credit note',
    checkCompany: true,
    ondelete: 'restrict',
    domain: [
      ['type', '=', 'credit'],
      ['payment_state', 'in', 'due'],
    ],
  }),
  date: fields.date({ required: true, default: today }),
  amount: fields.monetary({ required: true, help: 'In the currency of the invoice.' }),
  payment_amount: fields.monetary({
    label: 'Of the payment',
    currency: 'payment_currency_id',
    help: 'In the currency of the payment, at the rate of the day.',
    ...editable,
  }),
  is_valid: fields.boolean({ label: 'Counts', computed: true, stored: true }),
  currency_id: fields.related('invoice_id.currency_id', { stored: true, ratesOn: 'date' }),
  payment_currency_id: fields.related('payment_id.currency_id', { label: 'Currency of the payment', stored: true }),
  company_id: fields.related('invoice_id.company_id', { stored: true }),
};

export interface InvoiceAllocation extends FieldsOf<typeof allocationFields> {}
declare module '@kontor/addon' {
  interface Models {
    'invoice.allocation': InvoiceAllocation;
  }
}

/** What a payment or a credit note settles of an invoice, or a refund of a credit note. */
export const invoiceAllocation = defineModel('invoice.allocation', {
  label: 'Settlement',
  order: 'date, id',
  displayName: '{invoice_id} {payment_id} {credit_id}',
  ownRules: 'Settlements belong to two documents; whoever invoices keeps both.',
  fields: allocationFields,
  computes: {
    payment_amount: {
      depends: [
        ...(['amount', 'date', 'payment_id.currency_id.decimal_places'] as const),
        ...withPrefix('payment_id.currency_id', ratePaths),
        ...withPrefix('invoice_id.currency_id', ratePaths),
      ],
      value: ({ amount, date, payment_id: payment, invoice_id: invoice }, { today: thisDay }) => {
        if (!payment?.currency_id || !invoice?.currency_id) return null;
        const from = rateOn(invoice.currency_id, date ?? thisDay);
        const to = rateOn(payment.currency_id, date ?? thisDay);
        const rate = rateBetween(from, to);
        return rate && (amount ?? new Decimal(0)).times(rate).round(payment.currency_id.decimal_places ?? 2);
      },
    },
    is_valid: {
      formula: "isempty(payment_id) or payment_id.state != 'cancel'",
      asServer: 'Whether a settlement counts is for everyone who reads it.',
    },
  },
  constraints: {
    amount_counts: { formula: 'amount > 0', message: 'Enter an amount greater than 0.' },
    one_source: {
      formula: 'isempty(payment_id) != isempty(credit_id)',
      message: 'Choose a payment or a credit note.',
      field: 'payment_id',
    },
    rate_known: {
      formula: 'isempty(payment_id) or payment_amount > 0',
      message: 'The currencies have no rates. Enter how much of the payment this is.',
      field: 'payment_amount',
    },
    same_amount: {
      formula: 'isempty(payment_currency_id) or payment_currency_id != currency_id or payment_amount = amount',
      message: 'The payment is in the currency of the invoice, so both amounts are the same.',
      field: 'payment_amount',
    },
    fits: {
      formula: `invoice_id.state = 'posted' and if(isempty(payment_id),
        invoice_id.type = 'invoice' and credit_id.type = 'credit' and credit_id.state = 'posted'
          and credit_id.currency_id = invoice_id.currency_id,
        payment_id.state = 'posted' and (payment_id.type = 'in') = (invoice_id.type = 'invoice'))`,
      message: 'Payments and credit notes settle posted invoices; refunds settle credit notes.',
      field: 'invoice_id',
    },
    within_invoice: {
      on: ['amount', 'invoice_id'],
      formula: 'invoice_id.amount_residual >= 0',
      message: 'This is more than is due.',
      field: 'amount',
      serialize: ['invoice_id'],
    },
    within_source: {
      on: ['amount', 'payment_amount', 'payment_id', 'credit_id'],
      formula: 'first(payment_id.amount_left, 0) >= 0 and first(credit_id.amount_residual, 0) >= 0',
      message: 'This is more than is left over.',
      field: 'amount',
      serialize: ['payment_id', 'credit_id'],
    },
  },
});
