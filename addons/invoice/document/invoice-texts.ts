import { commonValues, letterPlaceholders } from '@addons/sale';
import { defineText, type Env } from '@kontor/addon';
import { loadInvoice, type PrintedInvoice } from './load-invoice.ts';

const { customer, amount, ...signed } = letterPlaceholders;
const values = {
  customer,
  number: { label: 'Number', sample: 'INV/2026/0042', needed: true },
  amount,
  open: { label: 'Open amount', type: 'amount', sample: '249.90' },
  date: { label: 'Invoice date', type: 'date', sample: '2026-10-25', optional: true },
  due: { label: 'Due date', type: 'date', sample: '2026-11-08', optional: true },
  ...signed,
} as const;

/** The values of a letter about an invoice, for any of its texts. */
export function invoiceValues(invoice: PrintedInvoice) {
  const { reversed_id: corrected } = invoice;
  return {
    ...commonValues(invoice),
    number: invoice.name ?? '',
    open: { amount: invoice.amount_residual, currency: invoice.currency_id },
    date: invoice.invoice_date,
    due: invoice.due_date,
    corrected: corrected?.name ?? null,
    corrected_date: corrected?.invoice_date ?? null,
  };
}

const load = async (env: Env, id: number) => invoiceValues(await loadInvoice(env, id));
const common = { values, model: 'invoice.invoice', load } as const;
const mail = { ...common, button: 'View online' } as const;
const questions = 'If you have any questions, just reply to this e-mail.';
const paid = 'If you have paid meanwhile, please ignore this reminder.';

export const invoiceMail = defineText('invoice.invoice_mail', {
  label: 'Invoice by e-mail',
  subject: 'Invoice {number} from {sender}',
  body: [
    'Dear {customer},',
    'please find attached our invoice {number} for {amount}. It is due on {due}.',
    questions,
    '{signature}',
  ],
  ...mail,
});

export const creditMail = defineText('invoice.credit_mail', {
  label: 'Credit note by e-mail',
  subject: 'Credit note {number} from {sender}',
  body: ['Dear {customer},', 'please find attached our credit note {number} for {amount}.', questions, '{signature}'],
  ...mail,
});

const firstReminder = defineText('invoice.reminder_1', {
  label: 'First reminder',
  subject: 'Reminder: invoice {number}',
  body: [
    'Dear {customer},',
    'this may have escaped your notice: our invoice {number} of {date} was due on {due}. Please pay the open amount of {open}.',
    paid,
    '{signature}',
  ],
  ...mail,
});

const secondReminder = defineText('invoice.reminder_2', {
  label: 'Second reminder',
  subject: 'Second reminder: invoice {number}',
  body: [
    'Dear {customer},',
    'we have not received your payment of our invoice {number} of {date}, which was due on {due}. Please pay the open amount of {open} within seven days.',
    paid,
    '{signature}',
  ],
  ...mail,
});

const finalReminder = defineText('invoice.reminder_3', {
  label: 'Final reminder',
  subject: 'Final reminder: invoice {number}',
  body: [
    'Dear {customer},',
    'despite our reminders, our invoice {number} of {date} is still unpaid. Please pay the open amount of {open} at once. Otherwise we will take legal steps.',
    paid,
    '{signature}',
  ],
  ...mail,
});

/** By step. */
export const reminderMails = [firstReminder, secondReminder, finalReminder] as const;

const printed = { ...common, values: { ...values, number: { label: 'Number', sample: 'INV/2026/0042' } } } as const;

export const paymentPrint = defineText('invoice.payment_print', {
  label: 'Standard text on invoices',
  body: ['Please pay by {due}, quoting {number}.'],
  ...printed,
});

const invoiceTitle = defineText('invoice.invoice_title', {
  label: 'Title of invoices',
  body: ['Invoice {number}'],
  ...common,
});

const creditTitle = defineText('invoice.credit_title', {
  label: 'Title of credit notes',
  body: ['Credit note {number}'],
  ...common,
});

export const printTitles = { invoice: invoiceTitle, credit: creditTitle } as const;

export const correctionPrint = defineText('invoice.correction_print', {
  label: 'Corrected invoice on credit notes',
  body: ['Corrects invoice {corrected} of {corrected_date}.'],
  ...common,
  values: {
    ...printed.values,
    corrected: { label: 'Number of the corrected invoice', sample: 'INV/2026/0017', needed: true, optional: true },
    corrected_date: { label: 'Date of the corrected invoice', type: 'date', sample: '2026-10-01', optional: true },
  },
});

export const codePrint = defineText('invoice.code_print', {
  label: 'Payment code on invoices',
  body: ['Scan to pay with your banking app.'],
  ...printed,
});

const reversePrint = defineText('invoice.reverse_print', {
  label: 'Reverse charge on invoices',
  body: ['Reverse charge: the recipient is liable for the tax.'],
  ...printed,
});

const exportPrint = defineText('invoice.export_print', {
  label: 'Export on invoices',
  body: ['Not taxable: supply to a customer outside the tax area.'],
  ...printed,
});

const exemptPrint = defineText('invoice.exempt_print', {
  label: 'Tax exemption on invoices',
  body: ['Exempt from tax.'],
  ...printed,
});

/** Why no tax is charged. */
export const taxPrints = { reverse: reversePrint, export: exportPrint, exempt: exemptPrint } as const;

export const invoiceTexts = [
  ...[invoiceMail, creditMail, ...reminderMails, paymentPrint, invoiceTitle, creditTitle, correctionPrint, codePrint],
  ...[reversePrint, exportPrint, exemptPrint],
];
