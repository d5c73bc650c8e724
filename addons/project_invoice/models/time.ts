import '@addons/project';
import { type CallsOf, Decimal, editable, type FieldsOf, fields, inheritModel, UserError } from '@kontor/addon';
import { updateRates } from '../rates/fill-rates.ts';
import { rateOf, rateSources } from '../rates/rate-of.ts';

/** What customers pay is for those who manage projects or invoice them; what people cost for managers alone. */
export const audience = ['project.group_manager', 'invoice.group_user'];
export const managers = ['project.group_manager'];

const timeFields = {
  is_billable: fields.boolean({ label: 'Billable', required: true, ...editable }),
  billing_state: fields.selection(
    { none: 'Not billable', fixed: 'Fixed price', open: 'To invoice', draft: 'On a draft', billed: 'Invoiced' },
    { label: 'Billing', computed: true, stored: true, index: true, sets: { held: ['draft', 'billed'] } },
  ),
  rate: fields.monetary({
    label: 'Hourly rate',
    aggregate: 'average',
    min: 0,
    groups: audience,
    help: 'As it was valid on the day.',
    ...editable,
  }),
  amount: fields.monetary({ label: 'Amount', computed: true, stored: true, groups: audience }),
  cost_rate: fields.monetary({
    label: 'Cost per hour',
    aggregate: 'average',
    min: 0,
    groups: managers,
    ...editable,
  }),
  cost: fields.monetary({ computed: true, stored: true, groups: managers }),
  hours_billable: fields.decimal({ label: 'Billable hours', precision: [6, 2], computed: true, stored: true }),
  hours_open: fields.decimal({ label: 'Hours to invoice', precision: [6, 2], computed: true, stored: true }),
  amount_open: fields.monetary({ label: 'To invoice', computed: true, stored: true, groups: audience }),
  amount_billed: fields.monetary({ label: 'Invoiced', computed: true, stored: true, groups: audience }),
  billed_ids: fields.one2many('project.time.billed', 'time_id', { label: 'Invoice lines' }),
  invoice_line_id: fields.many2one('invoice.line', {
    label: 'Invoice line',
    computed: true,
    stored: true,
    required: false,
    index: true,
    groups: ['invoice.group_user'],
  }),
  invoice_id: fields.related('invoice_line_id.invoice_id', { stored: true, groups: ['invoice.group_user'] }),
  partner_id: fields.related('project_id.partner_id', { stored: true }),
  currency_id: fields.related('project_id.company_id.currency_id', { label: 'Currency', stored: true }),
};

declare module '@addons/project' {
  interface ProjectTime extends FieldsOf<typeof timeFields> {}
  interface ProjectTimeCalls extends CallsOf<typeof billableTime> {}
}

const zero = new Decimal(0);
const forEveryone = 'Whether time was invoiced is the same for everyone.';
const byServer = 'Whoever logs time need not know what it is worth.';

export const billableTime = inheritModel('project.time', {
  fields: timeFields,
  computes: {
    is_billable: {
      depends: ['task_id.is_billable'],
      value: ({ task_id: task }, { isNew }) => task?.is_billable ?? (isNew ? true : undefined),
      asServer: 'Who is given a task logs billable time on it, though they may not see it any more.',
    },
    billing_state: {
      depends: ['is_billable', 'project_id.billing', 'billed_ids.is_held', 'billed_ids.line_id.invoice_id.state'],
      asServer: forEveryone,
      value: ({ is_billable: isBillable, project_id: project, billed_ids: billed }) => {
        const held = billed.find((each) => each.is_held);
        if (held) return held.line_id?.invoice_id?.state === 'posted' ? 'billed' : 'draft';
        if (!isBillable || !project || project.billing === 'none') return 'none';
        return project.billing === 'fixed' ? 'fixed' : 'open';
      },
    },
    invoice_line_id: {
      depends: ['billed_ids.is_held', 'billed_ids.line_id'],
      asServer: forEveryone,
      value: ({ billed_ids: billed }) => billed.find((each) => each.is_held)?.line_id?.id ?? null,
    },
    rate: { depends: rateSources, value: (entry) => rateOf(entry, 'price'), asServer: byServer },
    cost_rate: { depends: rateSources, value: (entry) => rateOf(entry, 'cost'), asServer: byServer },
    amount: {
      depends: ['hours', 'rate', 'billing_state'],
      value: ({ hours, rate, billing_state: state }) =>
        state === 'none' || !hours || !rate ? zero : hours.times(rate),
    },
    cost: {
      depends: ['hours', 'cost_rate'],
      value: ({ hours, cost_rate: rate }) => (hours && rate ? hours.times(rate) : zero),
    },
    hours_billable: {
      depends: ['hours', 'billing_state'],
      value: ({ hours, billing_state: state }) => (state === 'none' ? zero : (hours ?? zero)),
    },
    hours_open: {
      depends: ['hours', 'billing_state'],
      value: ({ hours, billing_state: state }) => (state === 'open' ? (hours ?? zero) : zero),
    },
    amount_open: {
      depends: ['amount', 'billing_state'],
      value: ({ amount, billing_state: state }) => (state === 'open' ? (amount ?? zero) : zero),
    },
    amount_billed: {
      depends: ['amount', 'billing_state'],
      value: ({ amount, billing_state: state }) => (state === 'billed' ? (amount ?? zero) : zero),
    },
  },
  constraints: {
    invoiced_stays: {
      on: ['date', 'user_id', 'project_id', 'task_id', 'is_billable'],
      reads: ['billing_state'],
      holds: ({ billing_state: state }) => state !== 'draft' && state !== 'billed',
      message: 'This time is on an invoice. Cancel the draft, or credit the invoice, to change it.',
      field: 'date',
    },
    /** Also where somebody changes an entry while it is invoiced. */
    as_invoiced: {
      on: ['hours', 'rate', 'billing_state'],
      reads: ['billed_ids.is_held', 'billed_ids.hours', 'billed_ids.rate'],
      holds: ({ hours, rate, billed_ids: billed }) =>
        billed.every((each) => !each.is_held || (each.hours.eq(hours) && rate !== null && each.rate.eq(rate))),
      message: 'This time is on an invoice. Cancel the draft, or credit the invoice, to change it.',
      field: 'hours',
    },
  },
  hooks: {
    // As the server: whoever deletes their time need not see the invoices.
    beforeUnlink: async ({ env, ids }) => {
      const billed = env.sudo().model('project.time.billed');
      const rows = await billed.searchRead([['time_id', 'in', [...ids]]], ['is_held']);
      if (rows.some((row) => row.is_held)) {
        throw new UserError('This time is on an invoice. Cancel the draft, or credit the invoice, to delete it.');
      }
      if (rows.length > 0) await billed.unlink(rows.map(({ id }) => id));
    },
  },
  actions: {
    update_rates: {
      label: 'Update rates',
      icon: 'refresh-cw',
      groups: audience,
      needs: 'read',
      // As the server: people who invoice do not write the time of others.
      run: ({ env, records }) => updateRates(env.sudo(), records.ids),
    },
  },
});

const taskFields = {
  is_billable: fields.boolean({
    label: 'Billable',
    required: true,
    default: true,
    help: 'Whether time on the task is invoiced, if the project is.',
  }),
};

declare module '@addons/project' {
  interface ProjectTask extends FieldsOf<typeof taskFields> {}
}

export const billableTask = inheritModel('project.task', { fields: taskFields });
