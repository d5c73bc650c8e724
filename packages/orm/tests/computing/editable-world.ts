import { Decimal, defineModel, type Env, fields, type ModelDefinition } from '@kontor/orm';
import { createTestEnv, type TestWorld } from '@kontor/testing';

type Row = Readonly<Record<string, unknown>> & { readonly id: number };
const editable = { computed: true, stored: true, editable: true } as const;
const one = (value: unknown) => value as Row | null;

const tag = defineModel('deal.tag', { fields: { name: fields.char({ required: true }) } });

const customer = defineModel('deal.customer', {
  label: 'Customer',
  fields: {
    name: fields.char({ required: true }),
    days: fields.integer(),
    owner: fields.integer(),
    is_hidden: fields.boolean(),
    bonus: fields.integer({ groups: ['deal.boss'] }),
    tag_ids: fields.many2many('deal.tag'),
    parent_id: fields.many2one('deal.customer'),
  },
});

const product = defineModel('deal.product', {
  fields: { name: fields.char({ required: true }), price: fields.decimal({ precision: [12, 2] }) },
});

const order = defineModel('deal.order', {
  label: 'Order',
  fields: {
    name: fields.char(),
    payer_days: fields.integer({ from: 'customer_id.days' }),
    state: fields.selection({ draft: 'Draft', sold: 'Sold' }, { default: 'draft' }),
    customer_id: fields.many2one('deal.customer'),
    rate: fields.decimal({ default: 1 }),
    days: fields.integer({ follows: 'customer_id.days', min: 0 }),
    terms: fields.char({ ...editable, required: true }),
    owner: fields.integer(editable),
    parent_id: fields.many2one('deal.customer', { follows: 'customer_id.parent_id' }),
    tag_ids: fields.many2many('deal.tag', editable),
    bonus: fields.integer({ follows: 'customer_id.bonus', groups: ['deal.boss'] }),
    seen_bonus: fields.integer(editable),
    told_bonus: fields.integer(editable),
    begun_by: fields.integer(editable),
    size: fields.integer(editable),
    line_ids: fields.one2many('deal.line', 'order_id', { copy: true }),
    total: fields.decimal({ computed: true, stored: true }),
    label: fields.char({ computed: true, stored: true }),
  },
  computes: {
    terms: {
      depends: ['days'],
      value: ({ days }, { changed }) => (changed('days') ? `${days ?? 'no'} days` : undefined),
    },
    owner: {
      depends: ['customer_id.owner'],
      value: ({ customer_id }, { user }) => one(customer_id)?.owner ?? user?.id ?? null,
    },
    tag_ids: { depends: ['customer_id.tag_ids'], value: ({ customer_id }) => one(customer_id)?.tag_ids ?? [] },
    seen_bonus: { depends: ['customer_id.bonus'], value: ({ customer_id }) => one(customer_id)?.bonus ?? null },
    told_bonus: {
      depends: ['customer_id.bonus'],
      asServer: 'Customers know what they get.',
      value: ({ customer_id }) => one(customer_id)?.bonus ?? null,
    },
    begun_by: { depends: ['customer_id'], value: (_, { user, isNew }) => (isNew ? (user?.id ?? null) : undefined) },
    size: { depends: ['line_ids.qty'], value: ({ line_ids }) => (line_ids as readonly unknown[]).length },
    total: { sum: 'line_ids.amount' },
    label: { depends: ['terms'], value: ({ terms }) => `(${terms ?? ''})` },
  },
});

const line = defineModel('deal.line', {
  label: 'Line',
  fields: {
    order_id: fields.many2one('deal.order', { required: true, ondelete: 'cascade' }),
    product_id: fields.many2one('deal.product'),
    qty: fields.integer({ default: 1 }),
    name: fields.char({ ...editable, required: true }),
    price: fields.decimal({ ...editable, precision: [12, 2] }),
    amount: fields.decimal({ computed: true, stored: true, precision: [12, 2] }),
  },
  computes: {
    name: { depends: ['product_id.name'], value: ({ product_id }) => one(product_id)?.name ?? undefined },
    price: {
      depends: ['product_id.price', 'qty', 'order_id.rate'],
      value: ({ product_id, qty, order_id }, { changed }) => {
        const price = one(product_id)?.price as Decimal | null | undefined;
        if (!price) return changed('product_id') ? null : undefined;
        const rebate = Number(qty) >= 10 ? '0.9' : '1';
        return price.times(rebate).times((one(order_id)?.rate as Decimal | null | undefined) ?? 1);
      },
    },
    amount: {
      depends: ['price', 'qty'],
      value: ({ price, qty }) => ((price as Decimal | null) ?? new Decimal(0)).times(Number(qty ?? 0)),
    },
  },
});

export const dealModels: readonly ModelDefinition[] = [tag, customer, product, order, line];

export function openDeals(more: readonly ModelDefinition[] = []): Promise<TestWorld> {
  return createTestEnv([...dealModels, ...more]);
}

export function makeCustomer(env: Env, values: Readonly<Record<string, unknown>> = {}): Promise<number> {
  return env
    .sudo()
    .model('deal.customer')
    .create({ name: 'Ada', days: 14, ...values });
}
