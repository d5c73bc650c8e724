import '@addons/project';
import '@addons/sale_project';
import { type CallsOf, Decimal, editable, type FieldsOf, fields, inheritModel, openRelated } from '@kontor/addon';
import { invoiceTime } from '../billing/invoice-time.ts';
import { audience, managers } from './time.ts';

const projectFields = {
  billing: fields.selection(
    { none: 'Not billable', time: 'By time', fixed: 'Fixed price' },
    {
      label: 'Billing',
      required: true,
      tracking: true,
      index: true,
      ...editable,
    },
  ),
  billing_product_id: fields.many2one('product.product', {
    label: 'Product on invoices',
    checkCompany: true,
    domain: [
      ['type', '=', 'service'],
      ['can_be_sold', '=', true],
    ],
    help: 'Its taxes apply to the time. If empty, those of the company do.',
  }),
  rate_ids: fields.one2many('project.rate', 'project_id', { label: 'Hourly rates' }),
  budget_amount: fields.monetary({
    label: 'Budget',
    min: 0,
    groups: audience,
    from: 'sale_order_id.turnover',
    help: 'What the work may be worth, or the price of the order.',
  }),
  amount_time: fields.monetary({
    label: 'Value of the time',
    computed: true,
    stored: true,
    groups: audience,
    help: 'Billable hours at their rates.',
  }),
  budget_left: fields.monetary({
    label: 'Budget left',
    computed: true,
    stored: true,
    required: false,
    groups: audience,
  }),
  hours_billable: fields.decimal({
    label: 'Billable hours',
    precision: [12, 2],
    computed: true,
    stored: true,
    groups: audience,
  }),
  hours_open: fields.decimal({
    label: 'Hours to invoice',
    precision: [12, 2],
    computed: true,
    stored: true,
    groups: audience,
  }),
  amount_open: fields.monetary({ label: 'To invoice', computed: true, stored: true, groups: audience }),
  amount_billed: fields.monetary({ label: 'Invoiced', computed: true, stored: true, groups: audience }),
  revenue: fields.monetary({
    label: 'Revenue',
    computed: true,
    stored: true,
    groups: managers,
    help: 'The value of the time, or the price of the order.',
  }),
  cost: fields.monetary({ label: 'Cost', computed: true, stored: true, groups: managers }),
  margin: fields.monetary({ label: 'Margin', computed: true, stored: true, groups: managers }),
  currency_id: fields.related('company_id.currency_id', { label: 'Currency', stored: true }),
};

declare module '@addons/project' {
  interface ProjectProject extends FieldsOf<typeof projectFields> {}
  interface ProjectProjectCalls extends CallsOf<typeof billedProject> {}
}

const zero = new Decimal(0);
const allTime = 'A budget is used up by everybody’s time.';

export const billedProject = inheritModel('project.project', {
  fields: projectFields,
  computes: {
    billing: {
      depends: ['sale_order_id'],
      value: ({ sale_order_id: order }, { isNew }) => (order ? 'fixed' : isNew ? 'none' : undefined),
    },
    amount_time: { sum: 'time_ids.amount', asServer: allTime },
    hours_billable: { sum: 'time_ids.hours_billable', asServer: allTime },
    hours_open: { sum: 'time_ids.hours_open', asServer: allTime },
    amount_open: { sum: 'time_ids.amount_open', asServer: allTime },
    amount_billed: { sum: 'time_ids.amount_billed', asServer: allTime },
    cost: { sum: 'time_ids.cost', asServer: allTime },
    budget_left: {
      depends: ['budget_amount', 'amount_time'],
      value: ({ budget_amount: budget, amount_time: used }) => budget?.minus(used ?? zero) ?? null,
    },
    revenue: {
      depends: ['billing', 'amount_time', 'sale_order_id.turnover'],
      asServer: 'What an order comes to is for project managers too.',
      value: ({ billing, amount_time: time, sale_order_id: order }) => {
        if (billing === 'fixed') return order?.turnover ?? zero;
        return billing === 'time' ? (time ?? zero) : zero;
      },
    },
    margin: {
      depends: ['revenue', 'cost'],
      value: ({ revenue, cost }) => (revenue ?? zero).minus(cost ?? zero),
    },
  },
  constraints: {
    somebody_pays: {
      on: ['billing', 'partner_id'],
      holds: ({ billing, partner_id: customer }) => billing !== 'time' || customer !== null,
      message: 'Choose the customer who pays for the time.',
      field: 'partner_id',
    },
  },
  actions: {
    invoice_time: invoiceTime,
    view_time_to_invoice: openRelated('project.time', 'project_id', {
      action: 'project_invoice.time_to_invoice',
      view: 'list',
      single: 'Choose one project.',
    }),
  },
});
