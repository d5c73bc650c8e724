import { contactWords } from '@addons/base';
import { addressPosition, positionFields, positionPaths, wholePosition } from '@addons/contacts';
import { handOver, postComment } from '@addons/mail';
import { teamOf, teamPaths } from '@addons/team';
import {
  answer,
  type CallsOf,
  companyValue,
  currentCompany,
  currentUser,
  Decimal,
  type Draft,
  defineModel,
  editable,
  type FieldsOf,
  fields,
  now,
  withPrefix,
} from '@kontor/addon';
import { convertAsks, convertLeads } from '../leads/convert-leads.ts';
import { mergeAsks, mergeLeads, proposeKept } from '../leads/merge-leads.ts';
import { probability } from './stage.ts';

const leadFields = {
  name: fields.char({
    label: 'Subject',
    required: true,
    size: 200,
    tracking: true,
    synonyms: ['Opportunity', 'Deal', 'Deal name'],
  }),
  type: fields.selection(
    { lead: 'Lead', opportunity: 'Opportunity' },
    { required: true, default: companyValue('crm_new_type'), tracking: true, index: true },
  ),
  state: fields.selection(
    { open: 'Open', won: 'Won', lost: 'Lost' },
    { required: true, default: 'open', tracking: true, index: true },
  ),
  stage_id: fields.many2one('crm.stage', { label: 'Stage', required: true, tracking: true, index: true, copy: false }),
  stage_before_id: fields.many2one('crm.stage', {
    label: 'Stage before it was won',
    readonly: true,
    copy: false,
    ondelete: 'set null',
  }),
  sequence: fields.integer({ required: true, default: 10 }),
  priority: fields.selection(
    { '0': 'Low', '1': 'Medium', '2': 'High', '3': 'Very high' },
    { required: true, default: '0' },
  ),
  color: fields.integer({ label: 'Colour', required: true, default: 0, min: 0, max: 11 }),
  tag_ids: fields.many2many('crm.tag', { label: 'Tags', synonyms: contactWords.tags }),

  partner_id: fields.many2one('core.partner', { label: 'Customer', tracking: true, checkCompany: true, index: true }),
  partner_name: fields.char({
    personal: false,
    label: 'Company name',
    size: 200,
    ...editable,
    synonyms: contactWords.company,
  }),
  contact_name: fields.char({ personal: true, size: 200, ...editable, synonyms: contactWords.name }),
  job_position: fields.char({ personal: true, size: 200, synonyms: contactWords.job }),
  email_from: fields.char({
    personal: true,
    label: 'E-mail',
    size: 320,
    format: 'email',
    likelyUnique: true,
    from: 'partner_id.email',
    synonyms: contactWords.email,
  }),
  phone: fields.char({
    personal: true,
    size: 64,
    format: 'phone',
    from: 'partner_id.phone',
    synonyms: contactWords.phone,
  }),
  website: fields.char({
    personal: true,
    size: 500,
    format: 'url',
    from: 'partner_id.website',
    synonyms: contactWords.website,
  }),
  street: fields.char({ personal: true, size: 200, from: 'partner_id.street', synonyms: contactWords.street }),
  zip: fields.char({
    personal: true,
    label: 'Postal code',
    size: 24,
    from: 'partner_id.zip',
    synonyms: contactWords.zip,
  }),
  city: fields.char({ personal: true, size: 100, from: 'partner_id.city', synonyms: contactWords.city }),
  country_id: fields.many2one('core.country', {
    label: 'Country',
    from: 'partner_id.country_id',
    synonyms: contactWords.country,
  }),
  ...positionFields,
  source: fields.selection({
    website: 'Website',
    referral: 'Recommendation',
    fair: 'Trade fair',
    phone: 'Phone call',
    mail: 'Mailing',
    partner: 'Partner',
  }),
  description: fields.html({ personal: true, label: 'Notes', synonyms: contactWords.notes }),

  user_id: fields.many2one('core.user', { label: 'Salesperson', default: currentUser, tracking: true, index: true }),
  team_id: fields.many2one('sale.team', {
    label: 'Sales team',
    tracking: true,
    checkCompany: true,
    index: true,
    ...editable,
  }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  currency_id: fields.related('company_id.currency_id', { stored: true }),

  expected_revenue: fields.monetary({
    required: true,
    default: 0,
    min: 0,
    tracking: true,
    synonyms: ['Amount', 'Value', 'Deal value', 'Revenue'],
  }),
  probability: fields.decimal({ ...probability, copy: false }),
  weighted_revenue: fields.monetary({
    computed: true,
    stored: true,
    help: 'The expected revenue by its probability; all of it once won, nothing once lost.',
  }),
  date_open: fields.datetime({ label: 'Created', required: true, default: now, copy: false }),
  date_deadline: fields.date({
    label: 'Expected closing',
    synonyms: ['Close date', 'Closing date'],
  }),
  date_conversion: fields.datetime({ label: 'Became an opportunity', readonly: true, copy: false, ...editable }),
  date_closed: fields.datetime({ label: 'Closed', readonly: true, copy: false }),
  days_to_close: fields.integer({ computed: true, stored: true, required: false, aggregate: 'average' }),
  lost_reason_id: fields.many2one('crm.lost.reason', { label: 'Lost reason', tracking: true, copy: false }),
  active: fields.boolean({ default: true }),
};

export interface CrmLead extends FieldsOf<typeof leadFields, 'stage_id'> {}
export interface CrmLeadCalls extends CallsOf<typeof crmLead> {}
declare module '@kontor/addon' {
  interface Models {
    'crm.lead': CrmLead;
  }
  interface Calls {
    'crm.lead': CrmLeadCalls;
  }
}

/** Values that a restored lead loses. */
const reopened = { date_closed: null, lost_reason_id: null, active: true } as const;
const dayMs = 86_400_000;

const leadPositionPaths = [
  ...positionPaths,
  'partner_id.city',
  'partner_id.country_id',
  'partner_id.latitude',
  'partner_id.longitude',
] as const;

/** The customer's position while the lead has the customer's address, otherwise that of its own. */
function leadPosition(lead: Draft<'crm.lead', (typeof leadPositionPaths)[number]>) {
  const { partner_id: customer, city, country_id: country, placed_by_hand: isPlaced } = lead;
  const isThere = customer?.city === city && customer?.country_id?.id === country?.id;
  return !isPlaced && isThere && customer?.latitude !== null && customer ? customer : addressPosition(lead);
}

export const crmLead = defineModel('crm.lead', {
  label: 'Lead',
  order: '-priority, sequence, -id',
  chatter: { contactsFollow: true },
  timeline: {
    opportunities: {
      ...{ label: 'Opportunities', icon: 'target', date: 'create_date', of: 'partner_id' },
      shows: ['stage_id', 'expected_revenue', 'user_id'],
    },
  },
  mail: {
    alias: 'sales',
    creates: {
      ...{ name: 'subject', description: 'body' },
      ...{ contact_name: 'sender_name', email_from: 'sender_email', partner_id: 'contact' },
    },
  },
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
    latitude: { depends: leadPositionPaths, value: (lead) => leadPosition(lead).latitude },
    longitude: { depends: leadPositionPaths, value: (lead) => leadPosition(lead).longitude },
    team_id: {
      depends: [...withPrefix('user_id', teamPaths), 'company_id.crm_team_id'],
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
  constraints: { whole_position: wholePosition },
  states: {
    field: 'state',
    initial: 'open',
    removable: ['open', 'lost'],
    abandoned: ['lost'],
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
        message: 'Convert the lead into an opportunity before you mark it as won.',
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
        note: fields.text({ help: 'Added to the discussion of each record.' }),
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
        refusal: 'Only a team leader can reopen a won opportunity. Ask yours.',
      },
    ],
  },
  actions: {
    /** A lead becomes an opportunity; its customer is found by email, or created. */
    convert: {
      label: 'Convert',
      icon: 'arrow-right',
      asks: convertAsks,
      run: convertLeads,
    },
    hand_over: handOver('crm.lead', 'crm.pipeline'),
    /** Merges the selected leads into the given one, otherwise the most advanced, then the oldest. */
    merge: {
      label: 'Merge',
      icon: 'layers',
      asks: mergeAsks,
      proposes: proposeKept,
      run: mergeLeads,
    },
  },
});
