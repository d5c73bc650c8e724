import '@addons/base';
import {
  type CallsOf,
  currentCompany,
  Decimal,
  defineModel,
  type FieldsOf,
  fields,
  sequence,
  sum,
  today,
} from '@kontor/addon';
import { allocatePayments, paymentMethods } from '../payments/register-payment.ts';

const paymentFields = {
  name: fields.char({
    label: 'Number',
    required: true,
    readonly: true,
    size: 64,
    default: sequence('invoice.payment'),
  }),
  type: fields.selection({ in: 'Received', out: 'Refunded' }, { label: 'Direction', required: true, default: 'in' }),
  state: fields.selection(
    { posted: 'Posted', cancel: 'Undone' },
    { required: true, default: 'posted', tracking: true, index: true },
  ),
  partner_id: fields.many2one('core.partner', { label: 'Customer', required: true, checkCompany: true }),
  date: fields.date({ required: true, default: today, index: true }),
  amount: fields.monetary({ required: true, tracking: true }),
  currency_id: fields.many2one('core.currency', { required: true, ratesOn: 'date', follows: 'company_id.currency_id' }),
  method: fields.selection(paymentMethods, { label: 'Paid by', required: true, default: 'transfer' }),
  reference: fields.char({ size: 140, unlocked: true, help: 'What the statement says.' }),
  allocation_ids: fields.one2many('invoice.allocation', 'payment_id', { label: 'Settles' }),
  amount_left: fields.monetary({ label: 'Left over', computed: true, stored: true }),
  company_id: fields.many2one('core.company', { required: true, default: currentCompany }),
};

export interface InvoicePayment extends FieldsOf<typeof paymentFields> {}
export interface InvoicePaymentCalls extends CallsOf<typeof invoicePayment> {}
declare module '@kontor/addon' {
  interface Models {
    'invoice.payment': InvoicePayment;
  }
  interface Calls {
    'invoice.payment': InvoicePaymentCalls;
  }
}

/** Money that came in or went out. What no invoice takes stays as the customer's credit. */
export const invoicePayment = defineModel('invoice.payment', {
  label: 'Payment',
  order: '-date, -id',
  chatter: {},
  timeline: {
    payments: {
      ...{ label: 'Payments', icon: 'banknote', date: 'date', of: 'partner_id' },
      where: [['state', '=', 'posted']],
      shows: ['type', 'amount', 'method'],
    },
  },
  fields: paymentFields,
  states: {
    field: 'state',
    initial: 'posted',
    removable: ['cancel'],
    abandoned: ['cancel'],
    locks: { posted: 'all', cancel: 'all' },
  },
  moves: {
    undo: {
      from: 'posted',
      to: 'cancel',
      label: 'Undo payment',
      icon: 'undo-2',
      danger: true,
      warns: 'Undo this payment? What it settled is open again.',
    },
  },
  computes: {
    amount_left: {
      depends: ['amount', 'state', 'allocation_ids.payment_amount'],
      asServer: 'What is left of a payment depends on all that it settles.',
      value: ({ amount, state, allocation_ids: allocations }) =>
        state === 'cancel'
          ? new Decimal(0)
          : new Decimal(amount ?? 0).minus(sum(allocations, (each) => each.payment_amount)),
    },
  },
  constraints: {
    amount_counts: { formula: 'amount > 0', message: 'Enter an amount greater than 0.' },
  },
  actions: {
    /** Settles the oldest open invoices of the customer. */
    allocate: { label: 'Settle open invoices', icon: 'list-checks', run: allocatePayments },
  },
});
