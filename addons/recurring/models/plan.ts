import '@addons/base';
import '@addons/invoice';
import {
  addMonths,
  type CallsOf,
  currentUser,
  defineModel,
  type FieldsOf,
  fields,
  openRelated,
  today,
} from '@kontor/addon';
import { intervals, makeInvoices } from '../make-invoices.ts';

const planFields = {
  name: fields.char({ required: true, size: 120 }),
  template_id: fields.many2one('invoice.invoice', {
    label: 'Invoice to repeat',
    required: true,
    ondelete: 'restrict',
    index: true,
    domain: [['type', '=', 'invoice']],
  }),
  every: fields.selection(
    { month: 'Month', quarter: 'Quarter', year: 'Year' },
    { label: 'Every', required: true, default: 'month' },
  ),
  date_start: fields.date({ label: 'First invoice', required: true, default: today }),
  date_end: fields.date({ label: 'Ends on', help: 'No invoice is made after this day. If empty, it goes on.' }),
  posts: fields.boolean({ label: 'Post automatically', help: 'Otherwise drafts are made.' }),
  made: fields.integer({ label: 'Invoices made', readonly: true, copy: false, required: true, default: 0 }),
  next_date: fields.date({ label: 'Next invoice', computed: true, stored: true, required: false, index: true }),
  user_id: fields.many2one('core.user', { label: 'Responsible', default: currentUser, ondelete: 'set null' }),
  invoice_ids: fields.one2many('invoice.invoice', 'recurring_id', { label: 'Invoices' }),
  partner_id: fields.related('template_id.partner_id', { stored: true }),
  company_id: fields.related('template_id.company_id', { stored: true }),
  active: fields.boolean({ default: true }),
};

export interface RecurringPlan extends FieldsOf<typeof planFields> {}
export interface RecurringPlanCalls extends CallsOf<typeof recurringPlan> {}
declare module '@kontor/addon' {
  interface Models {
    'recurring.plan': RecurringPlan;
  }
  interface Calls {
    'recurring.plan': RecurringPlanCalls;
  }
}

export const recurringPlan = defineModel('recurring.plan', {
  label: 'Recurring invoice',
  // It posts in the name of the server, later and again: nobody would be asked.
  closedToAgents: true,
  order: 'next_date, name',
  chatter: {},
  fields: planFields,
  computes: {
    // Counted from the first day, so that the 31st stays the last day of a month.
    next_date: {
      depends: ['date_start', 'date_end', 'every', 'made'],
      value: ({ date_start: start, date_end: end, every, made }) => {
        if (start === null || every === null) return null;
        const next = addMonths(start, intervals[every] * (made ?? 0));
        return end !== null && next > end ? null : next;
      },
    },
  },
  constraints: {
    days_in_order: {
      formula: 'isempty(date_end) or date_start <= date_end',
      message: 'It would end before it began.',
      field: 'date_end',
    },
    starts_once: {
      on: ['date_start', 'every'],
      reads: ['invoice_ids.recurring_date', 'made', 'next_date'],
      holds: ({ invoice_ids: made, next_date: next }) =>
        next === null || made.every(({ recurring_date: date }) => date === null || date < next),
      message: 'Invoices were made for later days already. End this one and create another.',
      field: 'date_start',
    },
  },
  actions: {
    make: { label: 'Create due invoices', icon: 'play', run: ({ env, records }) => makeInvoices(env, records.ids) },
    view_invoices: openRelated('invoice.invoice', 'recurring_id', { action: 'invoice.invoices', view: 'list' }),
  },
});
