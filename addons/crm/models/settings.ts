import { currentCompany, defineModel, type Env, type FieldsOf, fields } from '@kontor/addon';

const settingsFields = {
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  new_type: fields.selection(
    { lead: 'Lead', opportunity: 'Opportunity' },
    {
      label: 'What comes in begins as',
      required: true,
      default: 'lead',
      help: 'Where nobody says which: by the API and by import.',
    },
  ),
  team_id: fields.many2one('crm.team', {
    label: 'Usual sales team',
    checkCompany: true,
    ondelete: 'set null',
    help: 'For leads whose salesperson is in no team, or that nobody has.',
  }),
};

export interface CrmSettings extends FieldsOf<typeof settingsFields> {}
declare module '@kontor/addon' {
  interface Models {
    'crm.settings': CrmSettings;
  }
}

/** The page of settings: it opens with what the company has, and what is saved goes there. */
export const crmSettings = defineModel('crm.settings', {
  label: 'CRM settings',
  transient: true,
  fields: settingsFields,
  onchange: {
    company_id: {
      reads: ['company_id.crm_new_type', 'company_id.crm_team_id'],
      value: ({ company_id: company }) =>
        company ? { new_type: company.crm_new_type, team_id: company.crm_team_id?.id ?? null } : undefined,
    },
  },
  hooks: {
    afterCreate: ({ env, ids }) => keep(env, ids),
    afterWrite: ({ env, ids }) => keep(env, ids),
  },
});

/** As the server: managers set up the app, and need no right on companies for it. */
async function keep(env: Env, ids: readonly number[]): Promise<void> {
  const paths = ['company_id.id', 'new_type', 'team_id.id'] as const;
  for (const asked of await env.model('crm.settings').load(ids, [...paths])) {
    const values = { crm_new_type: asked.new_type, crm_team_id: asked.team_id?.id ?? null };
    await env.sudo().model('core.company').write([asked.company_id.id], values);
  }
}
