import { under } from '@addons/product';
import { defineModel, type FieldsOf, fields } from '@kontor/addon';
import { amountPaths, amountsOf, marginOf } from '../lines/amounts-of.ts';
import { checkOpen } from '../lines/check-open.ts';
import { completeLines } from '../lines/complete-lines.ts';
import { inCompany, ratePaths } from '../lines/in-company.ts';
import { lineFromProduct, orderPaths, productPaths, unitCost, unitPrice } from '../lines/line-from-product.ts';
import { refreshCost } from '../lines/refresh-cost.ts';
import { companyAmounts, managers } from './company-amounts.ts';
import { orderStates } from './order-states.ts';

const lineFields = {
  order_id: fields.many2one('sale.order', { label: 'Order', required: true, ondelete: 'cascade', index: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  product_id: fields.many2one('product.product', {
    label: 'Product',
    checkCompany: true,
    index: true,
    domain: [['can_be_sold', '=', true]],
  }),
  name: fields.text({ label: 'Description', required: true }),
  quantity: fields.decimal({ required: true, default: 1, precision: [14, 3] }),
  uom_id: fields.many2one('product.uom', { label: 'Unit' }),
  price_unit: fields.monetary({ label: 'Unit price', required: true, default: 0 }),
  discount: fields.decimal({ label: 'Discount %', required: true, default: 0, precision: [5, 2], min: 0, max: 100 }),
  tax_ids: fields.many2many('sale.tax', { label: 'Taxes', checkCompany: true }),
  unit_cost: fields.monetary({ label: 'Unit cost', default: 0, groups: managers }),
  price_subtotal: fields.monetary({ label: 'Subtotal', computed: true, stored: true }),
  price_tax: fields.monetary({ label: 'Tax', computed: true, stored: true }),
  price_total: fields.monetary({ label: 'Total', computed: true, stored: true }),
  margin: fields.monetary({ computed: true, stored: true, groups: managers }),
  currency_id: fields.many2one('core.currency', { related: 'order_id.currency_id', stored: true, label: 'Currency' }),
  company_currency_id: fields.many2one('core.currency', {
    label: 'Currency of the company',
    related: 'order_id.company_id.currency_id',
    stored: true,
  }),
  ...companyAmounts,
  company_id: fields.many2one('core.company', { related: 'order_id.company_id', stored: true, label: 'Company' }),
  partner_id: fields.many2one('core.partner', { related: 'order_id.partner_id', stored: true, label: 'Customer' }),
  user_id: fields.many2one('core.user', { related: 'order_id.user_id', stored: true, label: 'Salesperson' }),
  team_id: fields.many2one('sale.team', { related: 'order_id.team_id', stored: true, label: 'Sales team' }),
  state: fields.selection(orderStates, { related: 'order_id.state', stored: true }),
  date_order: fields.datetime({ related: 'order_id.date_order', stored: true, label: 'Date' }),
  category_id: fields.many2one('product.category', {
    related: 'product_id.category_id',
    stored: true,
    label: 'Category',
  }),
};

export interface SaleOrderLine extends FieldsOf<typeof lineFields, 'name'> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.order.line': SaleOrderLine;
  }
}

const draftReads = [
  ...under('product_id', productPaths),
  ...under('order_id', orderPaths),
  'quantity',
  'uom_id.factor',
  'uom_id.category_id',
] as const;

export const saleOrderLine = defineModel('sale.order.line', {
  label: 'Order line',
  order: 'order_id, sequence, id',
  displayName: '{order_id.name}: {product_id}',
  fields: lineFields,
  indexes: ['order_id, sequence', 'product_id, date_order'],
  computes: {
    price_subtotal: { depends: amountPaths, value: (line) => amountsOf(line).untaxed },
    price_tax: { depends: amountPaths, value: (line) => amountsOf(line).tax },
    price_total: { depends: amountPaths, value: (line) => amountsOf(line).total },
    margin: { depends: [...amountPaths, 'unit_cost'], value: marginOf },
    turnover: { depends: ['price_subtotal', ...ratePaths], value: (line) => inCompany(line.price_subtotal, line) },
    margin_in_company: { depends: ['margin', ...ratePaths], value: (line) => inCompany(line.margin, line) },
  },
  onchange: {
    product_id: {
      reads: draftReads,
      value: ({ product_id: product, order_id: order, quantity, uom_id: unit }) => {
        if (product === null) return undefined;
        const isSameKind = unit?.category_id.id === product.uom_id.category_id.id;
        const { tax_ids, ...values } = lineFromProduct({ product, order, quantity, unit: isSameKind ? unit : null });
        return { ...values, tax_ids: [['set', tax_ids] as const] };
      },
    },
    quantity: {
      reads: draftReads,
      value: ({ product_id: product, order_id: order, quantity, uom_id: unit }) =>
        product === null || order?.pricelist_id === null
          ? undefined
          : { price_unit: unitPrice({ product, order, quantity, unit }) },
    },
    uom_id: {
      reads: draftReads,
      value: ({ product_id: product, order_id: order, quantity, uom_id: unit }) => {
        if (product === null || unit === null) return undefined;
        if (unit.category_id.id !== product.uom_id.category_id.id) return undefined;
        const question = { product, order, quantity, unit };
        return { price_unit: unitPrice(question), unit_cost: unitCost(question) };
      },
    },
  },
  constraints: {
    unit_of_the_product: {
      on: ['product_id', 'uom_id'],
      reads: ['product_id.uom_id.category_id', 'uom_id.category_id'],
      holds: ({ product_id: product, uom_id: unit }) =>
        product === null || unit === null || product.uom_id.category_id.id === unit.category_id.id,
      message: 'The product is not measured in this kind of unit.',
      field: 'uom_id',
    },
    quantity_counts: {
      on: ['quantity'],
      holds: ({ quantity }) => !quantity.eq(0),
      message: 'Give a quantity other than 0, or remove the line.',
    },
  },
  hooks: {
    async beforeCreate({ env, values }) {
      await checkOpen(
        env,
        values.flatMap((line) => line.order_id ?? []),
      );
      return completeLines(env, values);
    },
    async beforeWrite({ env, ids, values }) {
      await checkOpen(env, await ordersOf(env, ids));
      return values;
    },
    async afterWrite({ env, ids, values }) {
      const isOther = 'product_id' in values || 'uom_id' in values;
      if (isOther && !('unit_cost' in values)) await refreshCost(env, ids);
    },
    async beforeUnlink({ env, ids }) {
      // Lines of a cancelled order may go: they go with it.
      await checkOpen(env, await ordersOf(env, ids), ['sale']);
    },
  },
});

async function ordersOf(env: Parameters<typeof checkOpen>[0], ids: readonly number[]): Promise<number[]> {
  const lines = await env.sudo().model('sale.order.line').read(ids, ['order_id']);
  return lines.flatMap((line) => line.order_id ?? []);
}
