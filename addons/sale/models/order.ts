import { addMessage, handOver } from '@addons/mail';
import { portalActions } from '@addons/portal';
import { teamOf, teamPaths } from '@addons/team';
import {
  type ActionCall,
  addDays,
  answer,
  type CallsOf,
  companyValue,
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
  toHtml,
  withPrefix,
  wordsIn,
} from '@kontor/addon';
import { documentComputes, documentFields } from '../document/document-fields.ts';
import { convertPrices } from '../lines/convert-prices.ts';
import { updatePrices } from '../lines/line-from-product.ts';
import { euroRate, orderRate, orderRatePaths } from '../lines/order-rate.ts';
import { applyTemplate } from '../orders/apply-template.ts';
import { sendAction } from '../orders/send-quotations.ts';
import { orderPortal } from '../quotation/order-portal.ts';
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
  ...documentFields,
  delivery_id: fields.many2one('core.partner', {
    ...{ label: 'Delivery address', checkCompany: true, ...editable },
    help: 'If empty, that of the customer.',
  }),
  invoice_address_id: fields.many2one('core.partner', {
    ...{ label: 'Invoice address', checkCompany: true, ...editable },
    help: 'If empty, that of the customer.',
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
  amend_reason: fields.text({ label: 'Being amended', readonly: true, copy: false }),
  user_id: fields.many2one('core.user', { label: 'Salesperson', tracking: true, index: true, ...editable }),
  team_id: fields.many2one('sale.team', { label: 'Sales team', checkCompany: true, index: true, ...editable }),
  pricelist_id: fields.many2one('product.pricelist', {
    label: 'Price list',
    checkCompany: true,
    help: 'If empty, sales prices apply.',
    follows: 'partner_id.pricelist_id',
  }),
  currency_id: fields.many2one('core.currency', {
    ...{ label: 'Currency', computed: true, stored: true, required: false, ratesOn: 'date_order' },
  }),
  currency_rate: fields.decimal({
    ...{ label: 'Exchange rate', precision: [18, 8], min: 0, aggregate: 'average', ...editable },
    help: "What one unit of the company's currency is worth in the currency of the order, on its date.",
  }),
  euro_rate: fields.decimal({
    ...{ label: 'Euro rate', precision: [18, 8], min: 0, aggregate: 'average', ...editable },
    help: 'What one euro is worth in the currency of the order, on its date: for products in other currencies.',
  }),
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
  sent_ids: fields.one2many('sale.order.sent', 'order_id', { label: 'Sent versions' }),
  last_sent_id: fields.many2one('sale.order.sent', {
    label: 'What the customer has',
    readonly: true,
    copy: false,
    ondelete: 'set null',
  }),
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
  company_currency_id: fields.related('company_id.currency_id', {
    ...{ label: 'Currency of the company', stored: true, ratesOn: 'date_order' },
  }),
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

const amendAsks = { amend_reason: fields.text({ required: true, label: 'Reason' }) };

export const saleOrder = defineModel('sale.order', {
  label: 'Sales order',
  order: '-date_order, -id',
  chatter: { contactsFollow: true },
  timeline: {
    quotations: {
      ...{ label: 'Quotations', icon: 'file-text', date: 'date_order', of: 'partner_id' },
      where: [['state', '!=', 'sale']],
      shows: ['state', 'amount_total', 'user_id'],
    },
    orders: {
      ...{ label: 'Orders', icon: 'receipt', date: 'date_order', of: 'partner_id' },
      where: [['state', '=', 'sale']],
      shows: ['state', 'amount_total', 'user_id'],
    },
  },
  portal: orderPortal,
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
    locks: {
      sale: [
        'partner_id',
        'pricelist_id',
        'currency_rate',
        'euro_rate',
        'tax_position_id',
        'company_id',
        'date_order',
        'line_ids',
      ],
      cancel: 'all',
    },
    stages: { field: 'stage_id', state: (stage) => stage.state },
    conditions: {
      has_lines: { formula: 'line_count > 0', message: 'Add a line first.' },
      has_reason: { formula: 'not isempty(amend_reason)', message: 'Press "Amend order" and say why.' },
    },
  },
  moves: {
    send: [
      { from: 'draft', to: 'sent', label: 'Send', ...sendAction },
      { from: 'sent', to: 'sent', label: 'Send again', ...sendAction },
      { from: 'sale', to: 'sale', label: 'Send confirmation', ...sendAction },
    ],
    confirm: {
      from: 'open',
      to: 'sale',
      label: 'Confirm',
      icon: 'check',
      needs: ['has_lines'],
      sets: { date_confirmed: now, amend_reason: null },
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
    /** The customer ordered something else than was confirmed: the order can be edited, and its history says why. */
    amend: {
      from: 'sale',
      to: 'draft',
      label: 'Amend order',
      icon: 'pencil',
      groups: managers,
      needs: ['has_reason'],
      asks: amendAsks,
      refusal: 'This order is confirmed. Ask a sales manager to amend it.',
      sets: { amend_reason: answer, date_confirmed: null },
      run: noteAmendment,
    },
    draft: {
      from: ['sent', 'cancel'],
      to: 'draft',
      label: 'Reset to quotation',
      icon: 'rotate-ccw',
      sets: { date_confirmed: null, amend_reason: null },
    },
  },
  computes: {
    ...documentComputes,
    currency_id: {
      depends: ['pricelist_id.currency_id', 'company_id.currency_id'],
      value: ({ pricelist_id: pricelist, company_id: company }) =>
        pricelist?.currency_id?.id ?? company?.currency_id?.id ?? null,
    },
    currency_rate: { depends: orderRatePaths, value: orderRate },
    euro_rate: { depends: orderRatePaths, value: euroRate },
    // Another customer has other addresses.
    delivery_id: { depends: ['partner_id'], value: () => null },
    invoice_address_id: { depends: ['partner_id'], value: () => null },
    user_id: { depends: ['partner_id.user_id'], value: ({ partner_id }, { user }) => partner_id?.user_id ?? user },
    team_id: {
      depends: [...withPrefix('user_id', teamPaths), 'company_id'],
      value: ({ user_id: user, company_id: company }) => user && teamOf(user, company),
    },
    validity_date: {
      depends: ['date_order', 'company_id.sale_validity_days'],
      value: ({ date_order: date, company_id: company }, { tz }) => {
        const days = company?.sale_validity_days ?? 0;
        return days === 0 || date === null ? null : addDays(dateIn(tz, date), days);
      },
    },
    amount_tax: { sum: 'line_ids.price_tax' },
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
      reads: ['line_count', 'pricelist_id.currency_id', 'company_id.currency_id'],
      value: ({ id, line_count: lines, pricelist_id: list, company_id: company }) => {
        const isForeign = list?.currency_id && company && list.currency_id.id !== company.currency_id.id;
        if (lines > 0 && id === 0 && isForeign) {
          return {
            answer: {
              value: { pricelist_id: null },
              warning: {
                title: text('This price list is in another currency'),
                message: text('Save the quotation first. Prices are converted when you choose the list then.'),
              },
            },
          };
        }
        return lines > 0
          ? {
              answer: {
                warning: {
                  title: text('Prices stay as they are'),
                  message: text('Save and press "Update prices" to price the lines by the new list.'),
                },
              },
            }
          : undefined;
      },
    },
  },
  hooks: {
    on: ['pricelist_id', 'company_id'],
    beforeWrite: convertPrices,
  },
  constraints: {
    rate_of_list: {
      on: ['pricelist_id', 'company_id'],
      reads: ['pricelist_id.currency_id.rate', 'pricelist_id.rate', 'company_id.currency_id.rate'],
      holds: ({ pricelist_id: list, company_id: company }) => {
        if (!list?.currency_id || list.currency_id.id === company.currency_id.id) return true;
        return list.rate === null ? isRated(list.currency_id, company.currency_id) : !list.rate.eq(1);
      },
      message: 'This price list is in another currency than the company. Set its rate first.',
      field: 'pricelist_id',
    },
    valid_after_date: {
      on: ['validity_date', 'date_order'],
      // Uses the latest time zone on earth: users in every zone can create a quotation for the same day.
      holds: ({ validity_date: until, date_order: from }) => until === null || until >= dateIn('Etc/GMT+12', from),
      message: 'The quotation would expire before its date.',
      field: 'validity_date',
    },
  },
  actions: {
    ...portalActions('sale.order'),
    apply_template: applyTemplate,
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

function isRated(...currencies: readonly ({ readonly rate: unknown } | null)[]): boolean {
  return currencies.every((each) => each !== null && each.rate !== null);
}

async function noteAmendment({ env, records, answers }: ActionCall<'sale.order', typeof amendAsks>): Promise<void> {
  const { say } = wordsIn(env, env.actor.lang, 'sale');
  const said = toHtml(say(text('Amended: {reason}', { reason: answers.amend_reason ?? '' })));
  for (const order of await records.load('name', 'company_id.id')) {
    const thread = { model: 'sale.order', id: order.id, name: order.name, companyId: order.company_id.id };
    await addMessage(env, thread, 'system', `<p>${said}</p>`);
  }
}
