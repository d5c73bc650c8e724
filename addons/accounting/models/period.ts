import '@addons/base';
import '@addons/invoice';
import {
  answer,
  type CallsOf,
  currentUser,
  dateIn,
  defineModel,
  type Env,
  type FieldsOf,
  fields,
  now,
  text,
  UserError,
} from '@kontor/addon';
import { exportDatev } from '../export/routes.ts';

const periodFields = {
  name: fields.char({ label: 'Period', computed: true, stored: true, size: 7 }),
  date_from: fields.date({ label: 'From', required: true, readonly: true, index: true }),
  date_to: fields.date({ label: 'To', required: true, readonly: true }),
  state: fields.selection(
    { open: 'Open', closed: 'Closed' },
    { required: true, default: 'open', tracking: true, index: true },
  ),
  closed_at: fields.datetime({ label: 'Closed on', readonly: true }),
  closed_by_id: fields.many2one('core.user', { label: 'Closed by', readonly: true, ondelete: 'set null' }),
  reason: fields.char({ label: 'Reopened because', size: 200, tracking: true }),
  entry_ids: fields.one2many('accounting.entry', 'period_id', { label: 'Entries' }),
  entry_count: fields.integer({ label: 'Entries', computed: true }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, readonly: true }),
};

export interface AccountingPeriod extends FieldsOf<typeof periodFields> {}
export interface AccountingPeriodCalls extends CallsOf<typeof accountingPeriod> {}
declare module '@kontor/addon' {
  interface Models {
    'accounting.period': AccountingPeriod;
  }
  interface Calls {
    'accounting.period': AccountingPeriodCalls;
  }
}

/** A month of a company. Nothing is booked into it once it is closed. */
export const accountingPeriod = defineModel('accounting.period', {
  label: 'Period',
  order: '-date_from',
  chatter: {},
  fields: periodFields,
  excludes: {
    once: { same: ['company_id'], range: ['date_from', 'date_to'], message: 'There is a period with these days.' },
  },
  states: {
    field: 'state',
    initial: ['open', 'closed'],
    removable: [],
    locks: { closed: ['date_from', 'date_to', 'company_id'] },
    conditions: {
      has_reason: {
        reads: ['reason'],
        holds: ({ reason }) => Boolean(reason?.trim()),
        message: 'Say why the period is opened again.',
      },
    },
  },
  moves: {
    close: {
      from: 'open',
      to: 'closed',
      label: 'Close',
      icon: 'lock',
      warns: 'Close the period? Nothing can be posted into it afterwards.',
      sets: { closed_at: now, closed_by_id: currentUser, reason: null },
      undo: false,
    },
    reopen: {
      from: 'closed',
      to: 'open',
      label: 'Reopen',
      icon: 'lock-open',
      danger: true,
      groups: ['accounting.group_manager'],
      refusal: 'Only managers of accounting reopen a period.',
      asks: { reason: fields.char({ label: 'Reason', required: true, size: 200 }) },
      needs: ['has_reason'],
      sets: { reason: answer, closed_at: null, closed_by_id: null },
      undo: false,
    },
  },
  computes: {
    name: { depends: ['date_from'], value: ({ date_from: day }) => day?.slice(0, 7) ?? '' },
    entry_count: { count: 'entry_ids' },
  },
  actions: { export_datev: exportDatev },
  hooks: {
    on: ['state'],
    beforeWrite: async ({ env, ids, values }) => {
      if (values.state === 'closed') await checkClosing(env.sudo(), ids);
      if (values.state === 'open') await checkReopening(env.sudo(), ids);
      return values;
    },
  },
});

/** As the server: drafts of everyone count. Months before it in which nothing was booked are closed with it. */
async function checkClosing(env: Env, ids: readonly number[]): Promise<void> {
  const empty = new Set<number>();
  const today = dateIn(env.actor.tz, env.now);
  for (const { name, date_from: from, date_to: to, company_id: company } of await loadPeriods(env, ids)) {
    if (to >= today) throw new UserError(text('{period} has not ended yet.', { period: name ?? '' }));
    const [draft] = await env.model('invoice.invoice').searchRead(
      [
        ['company_id', '=', company.id],
        ['state', '=', 'draft'],
        ['invoice_date', '>=', from],
        ['invoice_date', '<=', to],
      ],
      ['partner_id.name'],
      { limit: 1 },
    );
    if (draft) {
      throw new UserError(
        text('Post or cancel the drafts of {period} first, such as the one for {customer}.', {
          period: name ?? '',
          customer: String(draft['partner_id.name']),
        }),
      );
    }
    const earlier = await env.model('accounting.period').searchRead(
      [
        ['company_id', '=', company.id],
        ['state', '=', 'open'],
        ['date_to', '<', from],
        ['id', 'not in', [...ids]],
      ],
      ['name', 'entry_count'],
      { order: 'date_from' },
    );
    const booked = earlier.find(({ entry_count: entries }) => entries > 0);
    if (booked) throw new UserError(text('Close {period} first.', { period: booked.name ?? '' }));
    for (const { id } of earlier) empty.add(id);
  }
  if (empty.size > 0) await env.model('accounting.period').write([...empty], { state: 'closed' });
}

async function checkReopening(env: Env, ids: readonly number[]): Promise<void> {
  for (const { date_to: to, company_id: company } of await loadPeriods(env, ids)) {
    const [later] = await env.model('accounting.period').searchRead(
      [
        ['company_id', '=', company.id],
        ['state', '=', 'closed'],
        ['date_from', '>', to],
        ['id', 'not in', [...ids]],
      ],
      ['name'],
      { order: '-date_from', limit: 1 },
    );
    if (later) throw new UserError(text('Reopen {period} first.', { period: later.name ?? '' }));
  }
}

function loadPeriods(env: Env, ids: readonly number[]) {
  return env.model('accounting.period').load(ids, ['name', 'date_from', 'date_to', 'company_id.id']);
}
