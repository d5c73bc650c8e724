import {
  type CallsOf,
  currentCompany,
  currentUser,
  Decimal,
  defineModel,
  type FieldsOf,
  fields,
  now,
  sequence,
  text,
} from '@kontor/addon';
import { checkFrozen } from '../orders/check-frozen.ts';
import { completeOrders, validUntil } from '../orders/complete-orders.ts';
import { followStage } from '../orders/follow-stage.ts';
import { linesFirst } from '../orders/lines-first.ts';
import { orderActions } from '../orders/order-actions.ts';
import { companyAmounts, managers } from './company-amounts.ts';
import { orderStates } from './order-states.ts';

const orderFields = {
  name: fields.char({ label: 'Number', required: true, readonly: true, size: 64, default: sequence('sale.order') }),
  state: fields.selection(orderStates, { required: true, default: 'draft', tracking: true, index: true }),
  stage_id: fields.many2one('sale.stage', { label: 'Stage', copy: false, index: true }),
  partner_id: fields.many2one('core.partner', {
    label: 'Customer',
    required: true,
    checkCompany: true,
    tracking: true,
    index: true,
  }),
  client_reference: fields.char({ label: "Customer's reference", size: 100, copy: false }),
  date_order: fields.datetime({ label: 'Date', required: true, default: now, copy: false, index: true }),
  validity_date: fields.date({ label: 'Valid until', copy: false }),
  date_confirmed: fields.datetime({ label: 'Confirmed on', readonly: true, copy: false }),
  user_id: fields.many2one('core.user', { label: 'Salesperson', default: currentUser, tracking: true, index: true }),
  team_id: fields.many2one('sale.team', { label: 'Sales team', checkCompany: true, index: true }),
  pricelist_id: fields.many2one('product.pricelist', {
    label: 'Price list',
    checkCompany: true,
    help: 'Empty: sales prices.',
  }),
  currency_id: fields.many2one('core.currency', { label: 'Currency', computed: true, stored: true, required: false }),
  payment_days: fields.integer({ label: 'Days to pay', min: 0, max: 365 }),
  note: fields.text({ label: 'Terms' }),
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
  }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  company_currency_id: fields.many2one('core.currency', {
    label: 'Currency of the company',
    related: 'company_id.currency_id',
    stored: true,
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

export const saleOrder = defineModel('sale.order', {
  label: 'Sales order',
  order: '-date_order, -id',
  chatter: {},
  fields: orderFields,
  indexes: ['state, -date_order'],
  uniques: { number: { fields: ['name', 'company_id'], message: 'This number is taken.' } },
  states: {
    field: 'state',
    initial: 'draft',
    removable: ['draft', 'cancel'],
    conditions: {
      has_lines: {
        reads: ['line_count'],
        holds: ({ line_count }) => line_count > 0,
        message: 'Add a line first: there is nothing to offer yet.',
      },
    },
  },
  moves: {
    mark_sent: { from: 'draft', to: 'sent', label: 'Mark as sent', needs: ['has_lines'] },
    confirm: { from: ['draft', 'sent'], to: 'sale', label: 'Confirm', icon: 'check', needs: ['has_lines'] },
    cancel: [
      { from: ['draft', 'sent'], to: 'cancel', label: 'Cancel', icon: 'x' },
      {
        from: 'sale',
        to: 'cancel',
        label: 'Cancel',
        icon: 'x',
        groups: managers,
        refusal: 'This order is confirmed. Ask a sales manager to cancel it.',
      },
    ],
    draft: { from: ['sent', 'cancel'], to: 'draft', label: 'Reset to quotation', icon: 'rotate-ccw' },
  },
  computes: {
    currency_id: {
      depends: ['pricelist_id.currency_id', 'company_id.currency_id'],
      value: ({ pricelist_id: pricelist, company_id: company }) =>
        pricelist?.currency_id?.id ?? (company?.currency_id as { readonly id: number } | null)?.id ?? null,
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
    company_id: {
      reads: ['company_id.sale_validity_days', 'company_id.sale_note', 'date_order'],
      value: ({ company_id: company, date_order: date }) =>
        company
          ? { validity_date: validUntil(date, company.sale_validity_days), note: company.sale_note ?? undefined }
          : undefined,
    },
    partner_id: {
      reads: [
        'partner_id.pricelist_id',
        'partner_id.payment_days',
        'partner_id.user_id',
        'company_id.sale_note',
        'note',
      ],
      value: ({ partner_id: partner, company_id: company, note }) => ({
        pricelist_id: partner?.pricelist_id?.id ?? null,
        payment_days: partner?.payment_days ?? null,
        note: note ?? company?.sale_note ?? null,
        ...(partner?.user_id ? { user_id: partner.user_id.id } : {}),
      }),
    },
    user_id: {
      reads: ['user_id.sale_team_ids'],
      value: ({ user_id: user }) => {
        const [team] = user?.sale_team_ids ?? [];
        return team ? { team_id: team.id } : undefined;
      },
    },
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
    stage_fits: {
      on: ['stage_id', 'state'],
      reads: ['stage_id.state'],
      holds: ({ stage_id: stage, state }) => stage === null || stage.state === state,
      message: 'This stage belongs to another state.',
      field: 'stage_id',
    },
    valid_after_date: {
      on: ['validity_date', 'date_order'],
      holds: ({ validity_date: until, date_order: from }) => until === null || until >= from.slice(0, 10),
      message: 'The quotation would expire before its date.',
      field: 'validity_date',
    },
  },
  hooks: {
    beforeCreate: ({ env, values }) => completeOrders(env, values),
    async beforeWrite({ env, ids, values }) {
      await checkFrozen(env, ids, values);
      return linesFirst(env, ids, await followStage(env, values));
    },
  },
  actions: orderActions,
});
