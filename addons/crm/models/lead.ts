import { handOver, postComment } from '@addons/mail';
import { answer, type CallsOf, Decimal, defineModel, fields, now } from '@kontor/addon';
import { convertAsks, convertLeads } from '../leads/convert-leads.ts';
import { mergeAsks, mergeLeads, proposeKept } from '../leads/merge-leads.ts';
import { leadFields } from './lead-fields.ts';
import { teamOf, teamPaths } from './user.ts';

/** What a lead that is worked on again no longer has. */
const reopened = { date_closed: null, lost_reason_id: null, active: true } as const;
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
    partner_name: {
      depends: ['partner_id.is_company', 'partner_id.name', 'partner_id.parent_id.name'],
      value: ({ partner_id: customer }) =>
        (customer?.is_company ? customer.name : customer?.parent_id?.name) ?? undefined,
    },
    contact_name: {
      depends: ['partner_id.is_company', 'partner_id.name'],
      value: ({ partner_id: customer }) => (customer?.is_company === false ? customer.name : undefined),
    },
    email_from: { depends: ['partner_id.email'], value: ({ partner_id }) => partner_id?.email ?? undefined },
    phone: { depends: ['partner_id.phone'], value: ({ partner_id }) => partner_id?.phone ?? undefined },
    website: { depends: ['partner_id.website'], value: ({ partner_id }) => partner_id?.website ?? undefined },
    street: { depends: ['partner_id.street'], value: ({ partner_id }) => partner_id?.street ?? undefined },
    zip: { depends: ['partner_id.zip'], value: ({ partner_id }) => partner_id?.zip ?? undefined },
    city: { depends: ['partner_id.city'], value: ({ partner_id }) => partner_id?.city ?? undefined },
    country_id: {
      depends: ['partner_id.country_id'],
      value: ({ partner_id }) => partner_id?.country_id ?? undefined,
    },
    team_id: {
      depends: [...teamPaths.map((path) => `user_id.${path}` as const), 'company_id.crm_team_id'],
      value: ({ user_id: user, company_id: company }) =>
        (user && teamOf(user, company)) ?? company?.crm_team_id ?? null,
    },
    probability: {
      depends: ['state', 'stage_id.probability'],
      value: ({ state, stage_id: stage }) => {
        if (state !== 'open') return new Decimal(state === 'won' ? 100 : 0);
        return stage?.probability ?? new Decimal(0);
      },
    },
    date_conversion: {
      depends: ['type', 'date_open'],
      value: ({ type, date_open: opened }, { now: instant, changed, isNew }) => {
        if (!changed('type')) return undefined;
        if (type !== 'opportunity') return null;
        return isNew ? (opened ?? instant) : instant;
      },
    },
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
    stages: {
      field: 'stage_id',
      state: (stage) => (stage.is_won ? 'won' : 'open'),
      within: { team_id: 'team_id' },
      before: 'stage_before_id',
    },
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
    win: {
      from: 'open',
      to: 'won',
      label: 'Won',
      icon: 'trophy',
      needs: ['is_opportunity'],
      sets: { date_closed: now },
    },
    lose: {
      from: 'open',
      to: 'lost',
      label: 'Lost',
      icon: 'x',
      asks: {
        lost_reason_id: fields.many2one('crm.lost.reason', { label: 'Lost reason', required: true }),
        note: fields.text({ help: 'Said in the discussion of each.' }),
      },
      needs: ['has_reason'],
      sets: { lost_reason_id: answer, date_closed: now },
      async run({ env, records, answers }) {
        const note = answers.note?.trim();
        if (note) for (const id of records.ids) await postComment(env, { model: 'crm.lead', id }, note);
      },
    },
    restore: [
      { from: 'lost', to: 'open', label: 'Restore', icon: 'rotate-ccw', sets: reopened },
      {
        from: 'won',
        to: 'open',
        label: 'Restore',
        icon: 'rotate-ccw',
        sets: reopened,
        groups: ['crm.group_leader'],
        refusal: 'A won opportunity is reopened by a team leader. Ask yours.',
      },
    ],
  },
  actions: {
    /** A lead becomes an opportunity; its customer is found by e-mail, or made. */
    convert: {
      label: 'Convert',
      icon: 'arrow-right',
      asks: convertAsks,
      run: convertLeads,
    },
    hand_over: handOver('crm.lead', 'crm.pipeline'),
    /** Makes one of the chosen leads: the one to keep, else the furthest, and of those the oldest. */
    merge: {
      label: 'Merge',
      icon: 'layers',
      asks: mergeAsks,
      proposes: proposeKept,
      run: mergeLeads,
    },
  },
});
