import '@addons/contacts';
import '@addons/base';
import { type CallsOf, type FieldsOf, fields, inheritModel, openRelated } from '@kontor/addon';

/** Customer terms are for salespeople: users who only maintain addresses neither see nor set them. */
const sellers = ['sale.group_user'];

const partnerFields = {
  pricelist_id: fields.many2one('product.pricelist', {
    label: 'Price list',
    checkCompany: true,
    groups: sellers,
    help: 'For new quotations. If empty, sales prices apply.',
  }),
  payment_days: fields.integer({ label: 'Days to pay', min: 0, max: 365, groups: sellers, aggregate: 'average' }),
  tax_exempt: fields.boolean({
    label: 'Exempt from sales tax',
    help: 'Reverse charge, or outside the tax area.',
    groups: sellers,
  }),
  tax_position_id: fields.many2one('sale.tax.position', {
    ...{ label: 'Tax position', groups: sellers, ondelete: 'set null' },
    help: 'In its company, instead of the one by country and tax id.',
  }),
  sale_order_ids: fields.one2many('sale.order', 'partner_id', { label: 'Orders' }),
  sale_order_count: fields.integer({ computed: true, label: 'Orders' }),
};

declare module '@addons/base' {
  interface CorePartner extends FieldsOf<typeof partnerFields> {}
  interface CorePartnerCalls extends CallsOf<typeof salePartner> {}
}

export const salePartner = inheritModel('core.partner', {
  fields: partnerFields,
  computes: { sale_order_count: { count: 'sale_order_ids', below: true } },
  actions: {
    view_sale_orders: openRelated('sale.order', 'partner_id', { action: 'sale.all_orders', view: 'list', below: true }),
  },
});
