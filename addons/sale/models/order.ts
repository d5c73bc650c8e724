import { handOver } from '@addons/mail';
import {
  addDays,
  type CallsOf,
  companyValue,
  currentCompany,
  Decimal,
  dateIn,
  defineModel,
  editable,
  type FieldsOf,
  fields,
  now,
  openPath,
  sequence,
  text,
} from '@kontor/addon';
import { updatePrices } from '../lines/line-from-product.ts';
import { sendAction } from '../orders/send-quotations.ts';
import { quotationPath } from '../quotation/quotation-routes.ts';
import { companyAmounts, managers } from './company-amounts.ts';
import { orderStates } from './stage.ts';

const orderFields = {
  name: fields.char({ label: 'Number', required: true, readonly: true, size: 64, default: sequence('sale.order') }),
  state: fields.selection(orderStates, {
    sets: { open: ['draft', 'sent'] },
    required: true,
    default: 'draft',
    tracking: true,
    index: true,
  }),
  stage_id: fields.many2one('sale.stage', { label: 'Stage', copy: false, index: true }),
  partner_id: fields.many2one('core.partner', {
    label: 'Customer',
    required: true,
    checkCompany: true,
    tracking: true,
    index: true,
    synonyms: ['Client', 'Buyer', 'Company'],
  }),
  client_reference: fields.char({
    label: "Customer's reference",
    size: 100,
    copy: false,
    synonyms: ['PO number', 'Your reference'],
  }),
  date_order: fields.datetime({
    label: 'Date',
    required: true,
    default: now,
    copy: false,
    index: true,
    synonyms: ['Order date'],
  }),
  validity_date: fields.date({ label: 'Valid until', copy: false, ...editable }),
  date_confirmed: fields.datetime({ label: 'Confirmed on', readonly: true, copy: false }),
  user_id: fields.many2one('core.user', { label: 'Salesperson', tracking: true, index: true, ...editable }),
  team_id: fields.many2one('sale.team', { label: 'Sales team', checkCompany: true, index: true, ...editable }),
  pricelist_id: fields.many2one('product.pricelist', {
    label: 'Price list',
    checkCompany: true,
    help: 'If empty, sales prices apply.',
    follows: 'partner_id.pricelist_id',
  }),
  currency_id: fields.many2one('core.currency', { label: 'Currency', computed: true, stored: true, required: false }),
  payment_days: fields.integer({
    label: 'Days to pay',
    min: 0,
    max: 365,
    follows: 'partner_id.payment_days',
    aggregate: 'average',
  }),
  note: fields.text({
    label: 'Terms',
    default: companyValue('sale_note'),
    synonyms: ['Terms and conditions', 'Remarks'],
  }),
  line_ids: fields.one2many('sale.order.line', 'order_id', { label: 'Lines', copy: true }),
  line_count: fields.integer({ label: 'Lines', computed: true, stored: true }),
  amount_untaxed: fields.monetary({ label: 'Untaxed', computed: true, stored: true }),
  amount_tax: fields.monetary({ label: 'Tax', computed: true, stored: true }),
  amount_total: fields.monetary({ label: 'Total', computed: true, stored: true, tracking: true }),
  margin: fields.monetary({ computed: true, stored: true, groups: managers }),
  margin_percent: fields.decimal({
    label: 'Margin %',
    computed: true,
    stored: true,
    precision: [9, 2],
    groups: managers,
    // In the company's currency, so that orders in several currencies have one margin.
    aggregate: { ratio: ['margin_in_company', 'turnover'], times: 100 },
  }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  company_currency_id: fields.related('company_id.currency_id', { label: 'Currency of the company', stored: true }),
  ...companyAmounts,
};

export interface SaleOrder extends FieldsOf<typeof orderFields> {}
export interface SaleOrderCalls extends CallsOf<typeof saleOrder> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.order': SaleOrder;
  }
  interface Calls {
    'sale.order': SaleOrderCalls;
  }
}

export const saleOrder = defineModel('sale.order', {
  label: 'Sales order',
  order: '-date_order, -id',
  chatter: {},
  due: {
    label: 'Quotations',
    icon: 'file-clock',
    date: 'validity_date',
    by: 'user_id',
    open: [['state', 'in', 'open']],
    title: '{name} expires',
    lateTitle: '{name} has expired',
    about: ['partner_id', 'amount_total'],
    acts: ['confirm'],
    // Customers were told the expiry date, and an old offer is not a task.
    postpone: false,
    daysAhead: 7,
    daysLate: 14,
  },
  fields: orderFields,
  indexes: ['state, -date_order'],
  uniques: { number: { fields: ['name', 'company_id'], message: 'This number is already in use.' } },
  states: {
    field: 'state',
    initial: 'draft',
    removable: ['draft', 'cancel'],
    abandoned: ['cancel'],
    locks: { sale: ['partner_id', 'pricelist_id', 'company_id', 'date_order', 'line_ids'], cancel: 'all' },
    stages: { field: 'stage_id', state: (stage) => stage.state },
    conditions: {
      has_lines: {
        reads: ['line_count'],
        holds: ({ line_count }) => line_count > 0,
        message: 'Add a line first.',
      },
    },
  },
  moves: {
    send: [
      { from: 'draft', to: 'sent', label: 'Send', ...sendAction },
      { from: 'sent', to: 'sent', label: 'Send again', ...sendAction },
    ],
    confirm: {
      from: 'open',
      to: 'sale',
      label: 'Confirm',
      icon: 'check',
      needs: ['has_lines'],
      sets: { date_confirmed: now },
    },
    /** For quotations sent by other means: on paper, or with a mail program. */
    mark_sent: { from: 'draft', to: 'sent', label: 'Mark as sent', icon: 'mail-check', needs: ['has_lines'] },
    cancel: [
      { from: 'open', to: 'cancel', label: 'Cancel quotation', icon: 'x' },
      {
        from: 'sale',
        to: 'cancel',
        label: 'Cancel order',
        icon: 'x',
        danger: true,
        groups: managers,
        warns: 'Cancel this confirmed order?',
        refusal: 'This order is confirmed. Ask a sales manager to cancel it.',
      },
    ],
    draft: {
      from: ['sent', 'cancel'],
      to: 'draft',
      label: 'Reset to quotation',
      icon: 'rotate-ccw',
      sets: { date_confirmed: null },
    },
  },
  computes: {
    currency_id: {
      depends: ['pricelist_id.currency_id', 'company_id.currency_id'],
      value: ({ pricelist_id: pricelist, company_id: company }) =>
        pricelist?.currency_id?.id ?? (company?.currency_id as { readonly id: number } | null)?.id ?? null,
    },
    user_id: { depends: ['partner_id.user_id'], value: ({ partner_id }, { user }) => partner_id?.user_id ?? user },
    team_id: {
      depends: ['user_id.sale_team_ids.company_id', 'company_id'],
      value: ({ user_id: user, company_id: company }) =>
        user?.sale_team_ids.find((team) => team.company_id.id === company?.id) ?? null,
    },
    validity_date: {
      depends: ['date_order', 'company_id.sale_validity_days'],
      value: ({ date_order: date, company_id: company }, { tz }) => {
        const days = company?.sale_validity_days ?? 0;
        return days === 0 || date === null ? null : addDays(dateIn(tz, date), days);
      },
    },
    line_count: { count: 'line_ids' },
    amount_untaxed: { sum: 'line_ids.price_subtotal' },
    amount_tax: { sum: 'line_ids.price_tax' },
    amount_total: { sum: 'line_ids.price_total' },
    margin: { sum: 'line_ids.margin' },
    turnover: { sum: 'line_ids.turnover' },
    margin_in_company: { sum: 'line_ids.margin_in_company' },
    margin_percent: {
      depends: ['margin', 'amount_untaxed'],
      value: ({ margin, amount_untaxed: untaxed }) =>
        untaxed.eq(0) ? new Decimal(0) : margin.times(100).div(untaxed).round(2),
    },
  },
  onchange: {
    pricelist_id: {
      reads: ['line_count'],
      value: ({ line_count: lines }) =>
        lines > 0
          ? {
              answer: {
                warning: {
                  title: text('Prices stay as they are'),
                  message: text('Save and press "Update prices" to price the lines by the new list.'),
                },
              },
            }
          : undefined,
    },
  },
  constraints: {
    valid_after_date: {
      on: ['validity_date', 'date_order'],
      // Uses the latest time zone on earth: users in every zone can create a quotation for the same day.
      holds: ({ validity_date: until, date_order: from }) => until === null || until >= dateIn('Etc/GMT+12', from),
      message: 'The quotation would expire before its date.',
      field: 'validity_date',
    },
  },
  actions: {
    hand_over: handOver('sale.order', 'sale.all_orders'),
    /** Prices the lines again, by the list and the date of the order. */
    update_prices: { label: 'Update prices', icon: 'refresh-cw', run: updatePrices },
    print: {
      label: 'Print',
      icon: 'printer',
      needs: 'read',
      single: 'Choose one quotation to print.',
      run: async ({ records }) => openPath(quotationPath((await records.only()).id)),
    },
  },
});
