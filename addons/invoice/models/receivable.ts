import '@addons/base';
import { rateBetween } from '@addons/product';
import { type CallsOf, Decimal, type FieldsOf, fields, inheritModel, sum, withPrefix } from '@kontor/addon';
import { ageOf, ages, owedPaths, paymentState, paymentStates } from '../lines/payment-state.ts';
import { applyCredit, registerPayment } from '../payments/register-payment.ts';
import { dueStep, reminderPaths, sendReminders } from '../reminders/send-reminders.ts';

const receivableFields = {
  allocation_ids: fields.one2many('invoice.allocation', 'invoice_id', { label: 'Payments' }),
  used_ids: fields.one2many('invoice.allocation', 'credit_id', { label: 'Settles' }),
  amount_residual: fields.monetary({ label: 'Amount due', computed: true, stored: true }),
  payment_state: fields.selection(paymentStates, {
    label: 'Payment',
    computed: true,
    stored: true,
    index: true,
    sets: { due: ['open', 'partly', 'overdue'] },
  }),
  age: fields.selection(ages, { label: 'Overdue by', computed: true, stored: true }),
  receivable: fields.monetary({
    computed: true,
    stored: true,
    required: false,
    currency: 'company_currency_id',
    help: "What is due in the company's currency, at its rate. Credit notes count as negative.",
  }),
  reminder_ids: fields.one2many('invoice.reminder', 'invoice_id'),
  reminder_step: fields.integer({
    label: 'Reminder due',
    computed: true,
    stored: true,
    aggregate: 'none',
    help: 'The step of the reminder that is due, 0 if none is.',
  }),
  no_reminders: fields.boolean({ label: 'Do not remind', copy: false, unlocked: true }),
  company_currency_id: fields.related('company_id.currency_id', { label: 'Currency of the company', stored: true }),
};

export interface InvoiceReceivable extends FieldsOf<typeof receivableFields> {}
export interface InvoiceReceivableCalls extends CallsOf<typeof invoiceReceivable> {}

const settled = ['amount', 'is_valid'] as const;

/** What is due of an invoice: payments, ageing and reminders. */
export const invoiceReceivable = inheritModel('invoice.invoice', {
  due: {
    label: 'Invoices',
    icon: 'file-clock',
    date: 'due_date',
    by: 'user_id',
    open: [
      ['payment_state', 'in', 'due'],
      ['type', '=', 'invoice'],
    ],
    title: '{name} is due',
    lateTitle: '{name} is overdue',
    about: ['partner_id', 'amount_residual'],
    // Customers were told the due date.
    postpone: false,
    daysAhead: 0,
    daysLate: 90,
  },
  fields: receivableFields,
  computes: {
    amount_residual: {
      depends: ['state', 'amount_total', ...withPrefix('allocation_ids', settled), ...withPrefix('used_ids', settled)],
      asServer: 'What is due depends on all payments.',
      value: ({ state, amount_total: total, allocation_ids: paid, used_ids: used }) =>
        state === 'posted'
          ? total.minus(sum([...paid, ...used], (each) => (each.is_valid ? each.amount : null)))
          : new Decimal(0),
    },
    payment_state: { depends: owedPaths, changes: 'daily', value: (invoice, on) => paymentState(invoice, on.today) },
    age: { depends: owedPaths, changes: 'daily', value: (invoice, on) => ageOf(invoice, on.today) },
    reminder_step: {
      depends: reminderPaths,
      changes: 'daily',
      asServer: 'Which reminder is due depends on all that were sent.',
      value: (invoice, { today: day }) => dueStep(invoice, day),
    },
    receivable: {
      depends: [
        ...(['type', 'amount_residual', 'currency_id.rate'] as const),
        ...withPrefix('company_id.currency_id', ['rate', 'decimal_places']),
      ],
      asServer: 'The rates of currencies are no secret.',
      value: ({ type, amount_residual: due, currency_id: from, company_id: company }) => {
        const to = company?.currency_id ?? null;
        const rate = rateBetween(from, to);
        const signed = type === 'credit' ? due.times(-1) : due;
        return rate && signed.times(rate).round(to?.decimal_places ?? 2);
      },
    },
  },
  actions: {
    register_payment: registerPayment,
    /** Settles the invoice with what the customer has left over. */
    apply_credit: { label: 'Apply credit', icon: 'banknote', run: applyCredit },
    /** Mails the reminder that is due for each invoice, or makes a letter to print. */
    send_reminders: {
      label: 'Send reminder',
      icon: 'bell',
      groups: ['invoice.group_user'],
      needs: 'read',
      mails: 'also',
      warns: 'Send the reminders that are due? Customers without an e-mail address get a letter to print.',
      run: sendReminders,
    },
  },
});
