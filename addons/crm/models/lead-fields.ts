import { companyValue, currentCompany, currentUser, editable, type FieldsOf, fields, now } from '@kontor/addon';

export const leadFields = {
  name: fields.char({ label: 'Subject', required: true, size: 200, tracking: true }),
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
  tag_ids: fields.many2many('crm.tag', { label: 'Tags' }),

  partner_id: fields.many2one('core.partner', { label: 'Customer', tracking: true, checkCompany: true, index: true }),
  partner_name: fields.char({ label: 'Company name', size: 200, ...editable }),
  contact_name: fields.char({ size: 200, ...editable }),
  job_position: fields.char({ size: 200 }),
  email_from: fields.char({ label: 'E-mail', size: 320, ...editable }),
  phone: fields.char({ size: 64, ...editable }),
  website: fields.char({ size: 500, ...editable }),
  street: fields.char({ size: 200, ...editable }),
  zip: fields.char({ label: 'Postal code', size: 24, ...editable }),
  city: fields.char({ size: 100, ...editable }),
  country_id: fields.many2one('core.country', { label: 'Country', ...editable }),
  source: fields.selection({
    website: 'Website',
    referral: 'Recommendation',
    fair: 'Trade fair',
    phone: 'Phone call',
    mail: 'Mailing',
    partner: 'Partner',
  }),
  description: fields.html({ label: 'Notes' }),

  user_id: fields.many2one('core.user', { label: 'Salesperson', default: currentUser, tracking: true, index: true }),
  team_id: fields.many2one('crm.team', {
    label: 'Sales team',
    tracking: true,
    checkCompany: true,
    index: true,
    ...editable,
  }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  currency_id: fields.many2one('core.currency', { label: 'Currency', related: 'company_id.currency_id', stored: true }),

  expected_revenue: fields.monetary({ required: true, default: 0, min: 0, tracking: true }),
  probability: fields.decimal({
    label: 'Probability (%)',
    precision: [5, 2],
    required: true,
    min: 0,
    max: 100,
    copy: false,
    ...editable,
  }),
  weighted_revenue: fields.monetary({
    computed: true,
    stored: true,
    help: 'The expected revenue by its probability; all of it once won, nothing once lost.',
  }),
  date_open: fields.datetime({ label: 'Came in', required: true, default: now, copy: false }),
  date_deadline: fields.date({ label: 'Expected closing' }),
  date_conversion: fields.datetime({
    label: 'Became an opportunity',
    readonly: true,
    copy: false,
    ...editable,
  }),
  date_closed: fields.datetime({ label: 'Closed', readonly: true, copy: false }),
  days_to_close: fields.integer({ computed: true, stored: true, required: false }),
  lost_reason_id: fields.many2one('crm.lost.reason', { label: 'Lost reason', tracking: true, copy: false }),
  active: fields.boolean({ default: true }),
};

export interface CrmLead extends FieldsOf<typeof leadFields, 'stage_id'> {}
declare module '@kontor/addon' {
  interface Models {
    'crm.lead': CrmLead;
  }
}
