import '@addons/base';
import { portalActions } from '@addons/portal';
import {
  addressLines,
  addressPaths,
  documentComputes,
  documentFields,
  taxedPaths,
  taxSums,
  taxTreatments,
} from '@addons/sale';
import {
  type CallsOf,
  companyValue,
  currentUser,
  type Decimal,
  defineModel,
  editable,
  type FieldsOf,
  fields,
  formatAmount,
  now,
  openRelated,
  type RecordOf,
  sequence,
  sum,
  today,
  withPrefix,
} from '@kontor/addon';
import { invoicePortal } from '../document/invoice-portal.ts';
import { printInvoice, sendInvoice } from '../document/send-invoices.ts';
import { factPaths, missingFacts } from '../electronic/missing-facts.ts';
import { shortcomings } from '../electronic/shortcomings.ts';
import { downloadXRechnung } from '../electronic/xrechnung.ts';
import { convertInvoice } from '../lines/convert-invoice.ts';
import { creditInvoice } from '../lines/credit-invoice.ts';
import { taxTreatment, treatmentPaths } from '../lines/tax-treatment.ts';
import { settleCreditNotes } from '../payments/register-payment.ts';
import type { InvoiceReceivable, InvoiceReceivableCalls } from './receivable.ts';
import { taxRoundings } from './settings.ts';

const invoiceFields = {
  name: fields.char({ label: 'Number', readonly: true, copy: false, size: 64, index: true }),
  type: fields.selection(
    { invoice: 'Invoice', credit: 'Credit note' },
    { label: 'Kind', required: true, default: 'invoice' },
  ),
  state: fields.selection(
    { draft: 'Draft', posted: 'Posted', cancel: 'Cancelled' },
    { required: true, default: 'draft', tracking: true, index: true },
  ),
  ...documentFields,
  address_id: fields.many2one('core.partner', {
    label: 'Invoice address',
    checkCompany: true,
    ondelete: 'restrict',
    ...editable,
  }),
  address: fields.text({ label: 'Printed address', personal: true, ...editable }),
  vat: fields.char({ label: 'Tax id', size: 64, personal: true, follows: 'partner_id.vat' }),
  buyer_reference: fields.char({
    size: 100,
    follows: 'partner_id.buyer_reference',
    help: 'Required by public authorities in Germany (Leitweg-ID).',
  }),
  invoice_date: fields.date({ required: true, default: today, copy: false, index: true }),
  delivery_date: fields.date({ label: 'Delivered on', copy: false, help: 'The first day, if it was a period.' }),
  delivery_end: fields.date({ label: 'Delivered until', copy: false }),
  payment_days: fields.integer({ label: 'Days to pay', min: 0, max: 365, aggregate: 'average', ...editable }),
  due_date: fields.date({ copy: false, index: true, ...editable }),
  currency_id: fields.many2one('core.currency', {
    ...{ required: true, ratesOn: 'invoice_date', follows: 'company_id.currency_id' },
    help: 'Choose it before you add lines. Prices of a saved draft are converted when it changes.',
  }),
  tax_treatment: fields.selection(taxTreatments, {
    required: true,
    help: 'Printed on the invoice if no tax is charged.',
    ...editable,
  }),
  tax_note: fields.text({ label: 'Why no tax is charged', follows: 'tax_position_id.note' }),
  tax_rounding: fields.selection(taxRoundings, {
    label: 'Tax is rounded',
    follows: 'company_id.invoice_tax_rounding',
  }),
  note: fields.text({ label: 'Text', default: companyValue('invoice_note') }),
  user_id: fields.many2one('core.user', {
    label: 'Responsible',
    default: currentUser,
    tracking: true,
    unlocked: true,
  }),
  line_ids: fields.one2many('invoice.line', 'invoice_id', { copy: true }),
  tax_sums: fields.text({ label: 'Sums by tax', computed: true }),
  reversed_id: fields.many2one('invoice.invoice', {
    label: 'Corrects',
    checkCompany: true,
    copy: false,
    ondelete: 'restrict',
    domain: [
      ['type', '=', 'invoice'],
      ['state', '=', 'posted'],
    ],
  }),
  reason: fields.text({ copy: false }),
  credit_note_ids: fields.one2many('invoice.invoice', 'reversed_id'),
  document_ids: fields.one2many('invoice.document', 'invoice_id', { label: 'Sent documents' }),
  document_count: fields.integer({ label: 'Sent documents', computed: true }),
  credit_note_count: fields.integer({ label: 'Credit notes', computed: true }),
  amount_credited: fields.monetary({ label: 'Credited', computed: true, stored: true }),
  posted_at: fields.datetime({ label: 'Posted on', readonly: true, copy: false }),
  posted_by_id: fields.many2one('core.user', { readonly: true, copy: false }),
  e_invoice: fields.selection(
    { ready: 'E-invoice ready', missing: 'E-invoice not ready' },
    {
      label: 'Electronic invoice',
      computed: true,
      help: 'Whether the PDF carries the data of the invoice (Factur-X).',
    },
  ),
  shortcomings: fields.html({ label: 'What is missing', computed: true, required: false, personal: false }),
};

export interface InvoiceInvoice extends FieldsOf<typeof invoiceFields>, InvoiceReceivable {}
export interface InvoiceInvoiceCalls extends CallsOf<typeof invoiceInvoice>, InvoiceReceivableCalls {}
declare module '@kontor/addon' {
  interface Models {
    'invoice.invoice': InvoiceInvoice;
  }
  interface Calls {
    'invoice.invoice': InvoiceInvoiceCalls;
  }
}

const taxSumPaths = [
  ...(['tax_rounding', 'currency_id.decimal_places', 'line_ids.tax_ids.name'] as const),
  ...withPrefix('line_ids', taxedPaths),
] as const;
const ofAllLines = 'The sums of an invoice are those of all its lines and taxes.';
const printedFacts = 'Names and addresses are printed on the invoice.';
const forEveryone = 'The terms of a customer are on every invoice, also for people who do not sell.';

export const invoiceInvoice = defineModel('invoice.invoice', {
  label: 'Invoice',
  order: '-invoice_date, -id',
  displayName: '{name} {partner_id}',
  chatter: {},
  timeline: {
    invoices: {
      ...{ label: 'Invoices', icon: 'file-text', date: 'invoice_date', of: 'partner_id' },
      where: [['state', '=', 'posted']],
      shows: ['type', 'amount_total'],
    },
  },
  portal: invoicePortal,
  fields: invoiceFields,
  indexes: ['state, -invoice_date', 'partner_id, -invoice_date'],
  uniques: { number: { fields: ['name', 'company_id'], message: 'This number is already in use.' } },
  states: {
    field: 'state',
    initial: 'draft',
    removable: ['draft', 'cancel'],
    abandoned: ['cancel'],
    locks: { posted: 'all', cancel: 'all' },
    conditions: {
      has_lines: { formula: 'line_count > 0', message: 'Add a line first.' },
      not_negative: {
        formula: 'amount_total >= 0',
        message: 'The total is negative. Create a credit note instead.',
      },
      taxes_valid: {
        reads: ['type', 'invoice_date', 'delivery_date', 'line_ids.tax_ids.date_start', 'line_ids.tax_ids.date_end'],
        // A credit note has the taxes of its invoice.
        holds: ({ type, invoice_date: date, delivery_date: delivered, line_ids: lines }) =>
          type === 'credit' || lines.every(({ tax_ids: taxes }) => taxes.every(isValidOn(delivered ?? date))),
        message: 'A tax of a line is not valid on the day of the delivery. Choose the one that is.',
      },
      taxes_agree: {
        reads: ['type', 'tax_treatment', 'line_ids.tax_ids.percent'],
        // A credit note has the taxes of its invoice.
        holds: ({ type, tax_treatment: treatment, line_ids: lines }) =>
          type === 'credit' ||
          treatment === 'normal' ||
          lines.every(({ tax_ids: taxes }) => taxes.every(({ percent }) => percent.eq(0))),
        message: 'The tax treatment says that no tax is charged, but a line has one. Remove it, or choose "With tax".',
      },
      names_invoice: {
        formula: "type = 'invoice' or not isempty(reversed_id)",
        message: 'Choose the invoice that the credit note corrects.',
      },
    },
  },
  moves: {
    post: {
      from: 'draft',
      to: 'posted',
      label: 'Post',
      icon: 'check',
      needs: ['has_lines', 'not_negative', 'taxes_valid', 'taxes_agree', 'names_invoice'],
      sets: {
        name: sequence('invoice.{type}', { on: 'invoice_date' }),
        posted_at: now,
        posted_by_id: currentUser,
      },
      undo: false,
      run: settleCreditNotes,
    },
    cancel: { from: 'draft', to: 'cancel', label: 'Cancel', icon: 'x' },
    draft: { from: 'cancel', to: 'draft', label: 'Reset to draft', icon: 'rotate-ccw' },
  },
  computes: {
    ...documentComputes,
    address_id: { depends: ['partner_id'], value: ({ partner_id: customer }) => customer },
    address: {
      depends: withPrefix('address_id', addressPaths),
      value: ({ address_id: contact }) => contact && addressLines(contact),
    },
    payment_days: {
      formula: 'first(partner_id.payment_days, company_id.invoice_payment_days)',
      asServer: forEveryone,
    },
    due_date: { formula: 'invoice_date + first(payment_days, 0)' },
    tax_treatment: { depends: treatmentPaths, asServer: forEveryone, value: taxTreatment },
    amount_tax: {
      depends: taxSumPaths,
      asServer: ofAllLines,
      value: ({ tax_rounding: rounding, currency_id: currency, line_ids: lines }) =>
        sum(taxSums(lines, currency, rounding ?? 'line'), ({ amount }) => amount),
    },
    tax_sums: {
      depends: [...taxSumPaths, 'currency_id.symbol'],
      asServer: ofAllLines,
      value: ({ currency_id: currency, line_ids: lines, tax_rounding: rounding }, { registry }) => {
        const shown = (amount: Decimal) => formatAmount(amount, currency, registry.language);
        const sums = taxSums(lines, currency, rounding ?? 'line');
        return sums.map(({ name, base, amount }) => `${name}: ${shown(base)} → ${shown(amount)}`).join('\n');
      },
    },
    credit_note_count: { count: 'credit_note_ids' },
    document_count: { count: 'document_ids' },
    amount_credited: {
      depends: ['credit_note_ids.state', 'credit_note_ids.amount_total'],
      asServer: 'What is left of an invoice depends on all its credit notes.',
      value: ({ credit_note_ids: notes }) =>
        sum(notes, ({ state, amount_total: total }) => (state === 'posted' ? total : null)),
    },
    e_invoice: {
      depends: factPaths,
      asServer: printedFacts,
      value: (invoice) => (missingFacts(invoice, 'factur-x').length === 0 ? 'ready' : 'missing'),
    },
    shortcomings: {
      depends: factPaths,
      asServer: printedFacts,
      value: (invoice, { registry }) => shortcomings(invoice, registry.wordsIn(registry.language)),
    },
  },
  hooks: { on: ['currency_id', 'company_id'], beforeWrite: convertInvoice },
  constraints: {
    delivery_in_order: {
      formula: 'isempty(delivery_end) or delivery_date <= delivery_end',
      message: 'The delivery would end before it began.',
      field: 'delivery_end',
    },
    due_after_date: {
      formula: 'isempty(due_date) or due_date >= invoice_date',
      message: 'The invoice would be due before its date.',
      field: 'due_date',
    },
    corrects_invoice: {
      formula: `isempty(reversed_id) or type = 'credit'
        and reversed_id.type = 'invoice' and reversed_id.state = 'posted'
        and reversed_id.partner_id = partner_id and reversed_id.currency_id = currency_id`,
      message: 'A credit note corrects a posted invoice of the same customer, in the same currency.',
      field: 'reversed_id',
    },
    within_invoice: {
      on: ['state', 'reversed_id'],
      formula: 'isempty(reversed_id) or reversed_id.amount_credited <= reversed_id.amount_total',
      message: 'The credit notes would exceed the invoice.',
      field: 'reversed_id',
      serialize: ['reversed_id'],
    },
  },
  actions: {
    send: sendInvoice,
    print: printInvoice,
    xrechnung: downloadXRechnung,
    credit: creditInvoice,
    ...portalActions('invoice.invoice'),
    view_credit_notes: openRelated('invoice.invoice', 'reversed_id', { action: 'invoice.all_invoices', view: 'list' }),
  },
});

const isValidOn =
  (day: string) =>
  ({ date_start: from, date_end: until }: Pick<RecordOf<'sale.tax'>, 'date_start' | 'date_end'>) =>
    (from ?? day) <= day && day <= (until ?? day);
