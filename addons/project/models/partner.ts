import '@addons/base';
import { type CallsOf, type FieldsOf, fields, inheritModel, openRelated } from '@kontor/addon';

const partnerFields = {
  project_ids: fields.one2many('project.project', 'partner_id', { label: 'Projects' }),
  project_count: fields.integer({ label: 'Projects', computed: true }),
};

declare module '@addons/base' {
  interface CorePartner extends FieldsOf<typeof partnerFields> {}
  interface CorePartnerCalls extends CallsOf<typeof partnerProjects> {}
}

export const partnerProjects = inheritModel('core.partner', {
  fields: partnerFields,
  computes: { project_count: { count: 'project_ids', below: true } },
  actions: {
    open_projects: openRelated('project.project', 'partner_id', { view: 'kanban', below: true }),
  },
});
