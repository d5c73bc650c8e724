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

type LetterWords = Readonly<Record<'label' | 'subject' | 'words' | 'end', string>>;
/** An e-mail about an invoice: what it says, and how it ends before the signature. */
const letter = (key: string, { label, subject, words, end }: LetterWords) =>
  defineText(key, { ...mail, label, subject, body: ['Dear {customer},', words, end, '{signature}'] });

const title = (key: string, label: string, words: string) => defineText(key, { ...common, label, body: [words] });

const printedNumber = { label: 'Number', sample: 'INV/2026/0042' } as const;
/** A sentence on the document, which need not name its number. */
const sentence = (name: string, label: string, words: string) =>
  defineText(`invoice.${name}`, { ...common, label, body: [words], values: { ...values, number: printedNumber } });

const questions = 'If you have any questions, just reply to this e-mail.';
const paid = 'If you have paid meanwhile, please ignore this reminder.';

/** By kind. */
export const invoiceMails = {
  invoice: letter('invoice.invoice_mail', {
    label: 'Invoice by e-mail',
    subject: 'Invoice {number} from {sender}',
    words: 'please find attached our invoice {number} for {amount}. It is due on {due}.',
    end: questions,
  }),
  credit: letter('invoice.credit_mail', {
    label: 'Credit note by e-mail',
    subject: 'Credit note {number} from {sender}',
    words: 'please find attached our credit note {number} for {amount}.',
    end: questions,
  }),
} as const;

/** By step. */
export const reminderMails = [
  letter('invoice.reminder_1', {
    label: 'First reminder',
    subject: 'Reminder: invoice {number}',
    words:
      'this may have escaped your notice: our invoice {number} of {date} was due on {due}. Please pay the open amount of {open}.',
    end: paid,
  }),
  letter('invoice.reminder_2', {
    label: 'Second reminder',
    subject: 'Second reminder: invoice {number}',
    words:
      'we have not received your payment of our invoice {number} of {date}, which was due on {due}. Please pay the open amount of {open} within seven days.',
    end: paid,
  }),
  letter('invoice.reminder_3', {
    label: 'Final reminder',
    subject: 'Final reminder: invoice {number}',
    words:
      'despite our reminders, our invoice {number} of {date} is still unpaid. Please pay the open amount of {open} at once. Otherwise we will take legal steps.',
    end: paid,
  }),
] as const;

export const paymentPrint = sentence(
  'payment_print',
  'Standard text on invoices',
  'Please pay by {due}, quoting {number}.',
);

export const printTitles = {
  invoice: title('invoice.invoice_title', 'Title of invoices', 'Invoice {number}'),
  credit: title('invoice.credit_title', 'Title of credit notes', 'Credit note {number}'),
} as const;

export const correctionPrint = defineText('invoice.correction_print', {
  ...common,
  label: 'Corrected invoice on credit notes',
  body: ['Corrects invoice {corrected} of {corrected_date}.'],
  values: {
    ...values,
    number: printedNumber,
    corrected: { label: 'Number of the corrected invoice', sample: 'INV/2026/0017', needed: true, optional: true },
    corrected_date: { label: 'Date of the corrected invoice', type: 'date', sample: '2026-10-01', optional: true },
  },
});

export const codePrint = sentence('code_print', 'Payment code on invoices', 'Scan to pay with your banking app.');

/** Why no tax is charged. */
export const taxPrints = {
  reverse: sentence(
    'reverse_print',
    'Reverse charge on invoices',
    'Reverse charge: the recipient is liable for the tax.',
  ),
  export: sentence('export_print', 'Export on invoices', 'Not taxable: supply to a customer outside the tax area.'),
  exempt: sentence('exempt_print', 'Tax exemption on invoices', 'Exempt from tax.'),
} as const;

export const invoiceTexts = [
  ...[...Object.values(invoiceMails), ...reminderMails, paymentPrint, ...Object.values(printTitles)],
  ...[correctionPrint, codePrint, ...Object.values(taxPrints)],
];
