import { currentCompany, defineModel, type Env, type FieldsOf, fields } from '@kontor/addon';

const settingsFields = {
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  visibility: fields.selection(
    { everyone: 'Everyone with the app', members: 'Members only' },
    { label: 'Who sees new projects', required: true, default: 'everyone' },
  ),
  day_hours: fields.decimal({
    label: 'Hours of a working day',
    required: true,
    default: 8,
    precision: [4, 2],
    min: 1,
    max: 24,
    help: 'What a day is worth where work is sold by days and planned by hours.',
  }),
};

export interface ProjectSettings extends FieldsOf<typeof settingsFields> {}
declare module '@kontor/addon' {
  interface Models {
    'project.settings': ProjectSettings;
  }
}

/** The page of settings: it opens with what the company has, and what is saved goes there. */
export const projectSettings = defineModel('project.settings', {
  label: 'Project settings',
  transient: true,
  fields: settingsFields,
  onchange: {
    company_id: {
      reads: ['company_id.project_visibility', 'company_id.project_day_hours'],
      value: ({ company_id: company }) =>
        company
          ? {
              visibility: company.project_visibility,
              day_hours: company.project_day_hours,
            }
          : undefined,
    },
  },
  hooks: {
    afterCreate: ({ env, ids }) => keep(env, ids),
    afterWrite: ({ env, ids }) => keep(env, ids),
  },
});

/** As the server: managers set up the app, and need no right on companies for it. */
async function keep(env: Env, ids: readonly number[]): Promise<void> {
  const paths = ['company_id.id', 'visibility', 'day_hours'] as const;
  for (const asked of await env.model('project.settings').load(ids, [...paths])) {
    await env.sudo().model('core.company').write([asked.company_id.id], {
      project_visibility: asked.visibility,
      project_day_hours: asked.day_hours,
    });
  }
}
