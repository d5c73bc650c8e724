import '@addons/project';
import { type FieldsOf, fields, inheritModel } from '@kontor/addon';

const projectFields = {
  sale_order_id: fields.many2one('sale.order', {
    label: 'Order',
    checkCompany: true,
    index: true,
    ondelete: 'set null',
    copy: false,
    domain: [['state', '=', 'sale']],
  }),
};

declare module '@addons/project' {
  interface ProjectProject extends FieldsOf<typeof projectFields> {}
}

export const projectOrder = inheritModel('project.project', { fields: projectFields });
