import { companySettings, type FieldsOf, fields, type SettingsOf } from '@kontor/addon';

const settings = {
  project_visibility: fields.selection(
    { everyone: 'Everyone with the app', members: 'Members only' },
    { label: 'Who can see new projects', required: true, default: 'everyone' },
  ),
  project_mail_id: fields.many2one('project.project', {
    label: 'Project for incoming e-mail',
    ondelete: 'set null',
    help: 'E-mails to the alias tasks become tasks of this project.',
  }),
  project_day_hours: fields.decimal({
    unit: 'hours',
    label: 'Hours per working day',
    required: true,
    default: 8,
    precision: [4, 2],
    min: 1,
    max: 24,
    help: 'Converts days that are sold into hours that are planned.',
  }),
};

export interface ProjectSettings extends SettingsOf<'project.settings', typeof settings> {}
declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof settings> {}
  interface Models {
    'project.settings': ProjectSettings;
  }
}

export const projectSettings = companySettings('project.settings', { label: 'Project settings', fields: settings });
