import { answer, type CallsOf, Decimal, defineModel } from '@kontor/addon';
import { convertAsks, convertLeads } from '../leads/convert-leads.ts';
import { fillNewLeads, settleNewLeads } from '../leads/fill-new-leads.ts';
import { followChange } from '../leads/follow-change.ts';
import { fromCustomer } from '../leads/from-customer.ts';
import { handOver, handOverAsks } from '../leads/hand-over.ts';
import { mergeAsks, mergeLeads } from '../leads/merge-leads.ts';
import { lossAsks, noteLosses } from '../leads/note-losses.ts';
import { leadFields } from './lead-fields.ts';

const dayMs = 86_400_000;

export interface CrmLeadCalls extends CallsOf<typeof crmLead> {}
declare module '@kontor/addon' {
  interface Calls {
    'crm.lead': CrmLeadCalls;
  }
}

export const crmLead = defineModel('crm.lead', {
  label: 'Lead',
  order: '-priority, sequence, -id',
  chatter: true,
  fields: leadFields,
  indexes: ['type, state', 'company_id, -id'],
  computes: {
    weighted_revenue: {
      depends: ['state', 'expected_revenue', 'probability'],
      value: ({ state, expected_revenue: revenue, probability }) => {
        if (revenue === null || state === 'lost') return new Decimal(0);
        return state === 'won' ? revenue : revenue.times(probability ?? 0).div(100);
      },
    },
    days_to_close: {
      depends: ['date_open', 'date_closed'],
      value: ({ date_open: from, date_closed: to }) =>
        to === null || from === null ? null : Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / dayMs)),
    },
  },
  states: {
    field: 'state',
    initial: 'open',
    removable: ['open', 'lost'],
    conditions: {
      is_opportunity: {
        reads: ['type'],
        holds: (lead) => lead.type === 'opportunity',
        message: 'Convert the lead into an opportunity before you win it.',
      },
      has_reason: {
        reads: ['lost_reason_id'],
        holds: (lead) => lead.lost_reason_id !== null,
        message: 'Choose a lost reason, then mark it as lost.',
      },
    },
  },
  moves: {
    win: { from: 'open', to: 'won', label: 'Won', needs: ['is_opportunity'] },
    lose: {
      from: 'open',
      to: 'lost',
      label: 'Lost',
      needs: ['has_reason'],
      asks: lossAsks,
      sets: { lost_reason_id: answer },
      run: noteLosses,
    },
    /** Archived leads come back as well: who restores one wants to work on it. */
    restore: [
      {
        from: 'won',
        to: 'open',
        label: 'Restore',
        groups: ['crm.group_leader'],
        refusal: 'A won opportunity is reopened by a team leader. Ask yours.',
        sets: { active: true },
      },
      { from: 'lost', to: 'open', label: 'Restore', sets: { active: true } },
    ],
  },
  onchange: {
    stage_id: {
      reads: ['stage_id.probability'],
      value: (lead) => ({ probability: lead.stage_id?.probability }),
    },
    partner_id: {
      reads: [
        'partner_id.email',
        'partner_id.phone',
        'partner_id.is_company',
        'partner_id.name',
        'partner_id.parent_id.name',
        'partner_id.street',
        'partner_id.zip',
        'partner_id.city',
        'partner_id.country_id.id',
        'partner_id.website',
      ],
      value: ({ partner_id: partner }) => (partner ? fromCustomer(partner) : undefined),
    },
  },
  hooks: {
    beforeCreate: ({ env, values }) => fillNewLeads(env, values),
    afterCreate: ({ env, ids }) => settleNewLeads(env, ids),
    afterWrite: ({ env, ids, values }) => followChange(env, ids, values),
  },
  actions: {
    /** A lead becomes an opportunity; its customer is found by e-mail or made. `customer`: `find` (or make), `none`. */
    convert: { asks: convertAsks, run: convertLeads },
    /** To the colleague `user_id`, with a `note` for the discussion. */
    hand_over: { asks: handOverAsks, run: handOver },
    /** Makes one of the chosen leads: `keep` (an id), or the furthest, and of those the oldest. */
    merge: { asks: mergeAsks, run: mergeLeads },
  },
});
