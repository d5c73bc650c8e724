import { type FieldsOf, fields, inheritModel } from '@kontor/addon';

const companyFields = {
  project_visibility: fields.selection(
    { everyone: 'Everyone with the app', members: 'Members only' },
    { label: 'Who sees new projects', required: true, default: 'everyone' },
  ),
  project_day_hours: fields.decimal({
    label: 'Hours of a working day',
    required: true,
    default: 8,
    precision: [4, 2],
    min: 1,
    max: 24,
  }),
};

declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof companyFields> {}
}

export const projectCompany = inheritModel('core.company', { fields: companyFields });
