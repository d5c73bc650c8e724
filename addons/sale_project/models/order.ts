import '@addons/sale';
import { type CallsOf, type FieldsOf, fields, inheritModel } from '@kontor/addon';
import { createProject, openProjects } from '../orders/projects.ts';

const orderFields = {
  project_ids: fields.one2many('project.project', 'sale_order_id', { label: 'Projects' }),
  project_count: fields.integer({ label: 'Projects', computed: true }),
};

declare module '@addons/sale' {
  interface SaleOrder extends FieldsOf<typeof orderFields> {}
  interface SaleOrderCalls extends CallsOf<typeof orderProjects> {}
}

export const orderProjects = inheritModel('sale.order', {
  fields: orderFields,
  computes: { project_count: { count: 'project_ids' } },
  actions: {
    /** Makes a project of a confirmed order, led by whoever asks, with a task for each line. */
    create_project: {
      groups: ['project.group_user'],
      needs: 'read',
      single: 'Choose one order.',
      run: createProject,
    },
    view_projects: { groups: ['project.group_user'], needs: 'read', run: openProjects },
  },
});
