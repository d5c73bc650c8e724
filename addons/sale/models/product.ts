import { type CallsOf, type FieldsOf, fields, inheritModel, openRelated } from '@kontor/addon';

const productFields = {
  sale_tax_ids: fields.many2many('sale.tax', {
    label: 'Sales taxes',
    help: "If empty, the company's default applies.",
  }),
  sale_line_ids: fields.one2many('sale.order.line', 'product_id', { label: 'Order lines' }),
  sale_line_count: fields.integer({ computed: true, label: 'Order lines' }),
};

declare module '@addons/product' {
  interface ProductProduct extends FieldsOf<typeof productFields> {}
  interface ProductProductCalls extends CallsOf<typeof saleProduct> {}
}

export const saleProduct = inheritModel('product.product', {
  fields: productFields,
  computes: { sale_line_count: { count: 'sale_line_ids' } },
  actions: {
    view_sale_lines: openRelated('sale.order.line', 'product_id', { action: 'sale.line_analysis', view: 'list' }),
  },
});
