import {
  Decimal,
  defineModel,
  type Env,
  fields,
  type ModelDefinition,
  sequence,
  sequenceHooks,
  today,
} from '@kontor/orm';
import { createTestEnv, type TestEnvOptions, type TestWorld } from '@kontor/testing';

type Row = Readonly<Record<string, unknown>>;
const amount = { precision: [12, 2] } as const;
const zero = new Decimal(0);
const decimal = (value: unknown): Decimal => (value as Decimal | null) ?? zero;

const company = defineModel('core.company', { fields: { name: fields.char({ required: true }) } });

const numbering = defineModel('sys.sequence', {
  hooks: sequenceHooks,
  fields: {
    name: fields.char({ required: true }),
    code: fields.char({ required: true }),
    prefix: fields.char(),
    suffix: fields.char(),
    padding: fields.integer({ default: 0, required: true }),
    number_next: fields.integer({ default: 1, required: true }),
    number_increment: fields.integer({ default: 1, required: true }),
    gapless: fields.boolean(),
    yearly: fields.boolean(),
    year: fields.integer(),
    company_id: fields.many2one('core.company'),
  },
});

const partner = defineModel('trade.partner', {
  label: 'Partner',
  fields: {
    name: fields.char({ required: true }),
    country: fields.char(),
    payment_days: fields.integer({ default: 30 }),
    is_hidden: fields.boolean(),
  },
});

const category = defineModel('trade.category', {
  fields: {
    name: fields.char({ required: true }),
    parent_id: fields.many2one('trade.category'),
    full_name: fields.char({ computed: true, stored: true }),
  },
  computes: {
    full_name: {
      depends: ['name', 'parent_id.full_name'],
      value: ({ name, parent_id }) => (parent_id ? `${(parent_id as Row).full_name} / ${name}` : name),
    },
  },
});

const tag = defineModel('trade.tag', {
  fields: {
    name: fields.char({ required: true, unique: true }),
    order_ids: fields.many2many('trade.order', { inverse: 'tag_ids' }),
    revenue: fields.decimal({ ...amount, computed: true, stored: true }),
  },
  computes: { revenue: { sum: 'order_ids.total' } },
});

const campaign = defineModel('trade.campaign', {
  fields: {
    name: fields.char({ required: true }),
    order_ids: fields.one2many('trade.order', 'campaign_id'),
    revenue: fields.decimal({ ...amount, computed: true, stored: true }),
    orders: fields.integer({ computed: true, stored: true }),
    biggest: fields.decimal({ ...amount, computed: true, stored: true }),
  },
  computes: {
    revenue: { sum: 'order_ids.total' },
    orders: { count: 'order_ids' },
    biggest: { max: 'order_ids.total' },
  },
});

const order = defineModel('trade.order', {
  label: 'Order',
  fields: {
    number: fields.char({ readonly: true, default: sequence('trade.order') }),
    name: fields.char(),
    state: fields.selection({ draft: 'Draft', sale: 'Sold' }, { default: 'draft', copy: false }),
    partner_id: fields.many2one('trade.partner', { required: true }),
    campaign_id: fields.many2one('trade.campaign'),
    company_id: fields.many2one('core.company'),
    date: fields.date({ default: today }),
    payment_days: fields.integer(),
    discount: fields.decimal({ ...amount, default: 0 }),
    line_ids: fields.one2many('trade.line', 'order_id', { copy: true }),
    tag_ids: fields.many2many('trade.tag'),
    active: fields.boolean({ default: true }),
    total: fields.decimal({ ...amount, computed: true, stored: true }),
    lines: fields.integer({ computed: true, stored: true }),
    first_due: fields.date({ computed: true, stored: true }),
    tax: fields.decimal({ ...amount, computed: true, stored: true }),
    due: fields.decimal({ ...amount, computed: true, stored: true }),
    country: fields.char({ related: 'partner_id.country', stored: true }),
    headline: fields.char({ computed: true }),
    profit: fields.decimal({ ...amount, computed: true, groups: ['trade.manager'] }),
  },
  computes: {
    total: { sum: 'line_ids.subtotal' },
    lines: { count: 'line_ids' },
    first_due: { min: 'line_ids.due' },
    tax: { depends: ['total'], value: ({ total }) => decimal(total).times('0.19') },
    due: { depends: ['total', 'tax'], value: ({ total, tax }) => decimal(total).plus(decimal(tax)) },
    headline: {
      depends: ['number', 'partner_id.name'],
      value: ({ number, partner_id }) => `${number ?? 'New'}: ${(partner_id as Row | null)?.name ?? '?'}`,
    },
    profit: { depends: ['total'], value: ({ total }) => decimal(total).times('0.5') },
  },
  onchange: {
    partner_id: {
      reads: ['partner_id.payment_days'],
      value: ({ partner_id }) => ({ payment_days: (partner_id as Row | null)?.payment_days ?? null }),
    },
    payment_days: {
      value: ({ payment_days }) => {
        if (Number(payment_days) <= 60) return undefined;
        const warning = { title: 'Payment', message: 'That is a long time.' };
        return { answer: { value: { name: 'Slow payer' }, warning, domain: { campaign_id: [['name', '=', 'slow']] } } };
      },
    },
  },
  constraints: {
    has_lines_when_sold: {
      on: ['state', 'line_ids'],
      holds: ({ state, line_ids }) => state !== 'sale' || (line_ids as readonly unknown[]).length > 0,
      message: 'Add a line before confirming.',
    },
    discount_below_total: {
      on: ['discount', 'total'],
      reads: ['partner_id.name'],
      holds: ({ discount, total }) => decimal(discount).lte(100) && decimal(total).gte(0),
      message: 'The discount is too large.',
    },
  },
});

const line = defineModel('trade.line', {
  label: 'Line',
  fields: {
    order_id: fields.many2one('trade.order', { required: true, ondelete: 'cascade' }),
    name: fields.char(),
    qty: fields.decimal({ ...amount, default: 1 }),
    price: fields.decimal({ ...amount, required: true, default: 0 }),
    due: fields.date(),
    subtotal: fields.decimal({ ...amount, computed: true, stored: true }),
  },
  computes: {
    subtotal: {
      depends: ['qty', 'price', 'order_id.discount'],
      value: ({ qty, price, order_id }) => {
        if (price === null) return null;
        const share = new Decimal(100).minus(decimal((order_id as Row | null)?.discount)).div(100);
        return decimal(qty).times(decimal(price)).times(share);
      },
    },
  },
});

export const tradeModels: readonly ModelDefinition[] = [
  company,
  numbering,
  partner,
  category,
  tag,
  campaign,
  order,
  line,
];

export async function openTrade(
  more: readonly ModelDefinition[] = [],
  options: TestEnvOptions = {},
): Promise<TestWorld> {
  const world = await createTestEnv([...tradeModels, ...more], options);
  await world.transact((env) =>
    env.model('sys.sequence').create({ name: 'Orders', code: 'trade.order', prefix: 'SO' }),
  );
  return world;
}

export async function makeOrder(env: Env, prices: readonly number[] = [], values: Row = {}): Promise<number> {
  const partner_id = values.partner_id ?? (await env.model('trade.partner').create({ name: 'Ada', country: 'GB' }));
  const line_ids = prices.map((price) => ['create', { price }]);
  return env.model('trade.order').create({ line_ids, ...values, partner_id });
}

/** Fields of one record, with decimals as text. */
export async function look(env: Env, model: string, id: number, ...names: string[]): Promise<Record<string, unknown>> {
  const [record] = await env.model(model).read([id], names);
  const { id: _, ...values } = plain(record) as Row;
  return values;
}

/** The same value with decimals as text, at any depth. */
export function plain(value: unknown): unknown {
  if (value instanceof Decimal) return value.toFixed();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

/** What a promise was refused with. */
export async function refusal(work: Promise<unknown>): Promise<{ code: string; message: string; details: Row }> {
  try {
    await work;
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: Row };
    if (code === undefined) throw error;
    return { code, message, details };
  }
  throw new Error('It was not refused.');
}
