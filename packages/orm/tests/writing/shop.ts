import type { Env, ModelDefinition } from '@kontor/orm';
import { Decimal, defineModel, fields, sysModelData } from '@kontor/orm';
import { parseDomain } from '@kontor/protocol';
import { createTestEnv, type TestWorld } from '@kontor/testing';

const company = defineModel('core.company', { label: 'Company', fields: { name: fields.char({ required: true }) } });

const partner = defineModel('shop.partner', {
  label: 'Partner',
  fields: {
    name: fields.char({ required: true, size: 40 }),
    email: fields.char(),
    parent_id: fields.many2one('shop.partner', { label: 'Parent' }),
    is_blocked: fields.boolean(),
    company_id: fields.many2one('core.company'),
  },
  uniques: { email: { fields: ['email'], message: 'Somebody else has this e-mail.' } },
});

const tag = defineModel('shop.label', {
  label: 'Tag',
  fields: {
    name: fields.char({ required: true }),
    is_hidden: fields.boolean(),
    order_ids: fields.many2many('shop.order', { inverse: 'tag_ids' }),
    order_count: fields.integer({ computed: true, stored: true }),
  },
  computes: { order_count: { depends: ['order_ids'], value: (record) => (record.order_ids as unknown[]).length } },
});

const order = defineModel('shop.order', {
  label: 'Order',
  fields: {
    name: fields.char({ required: true }),
    number: fields.char({ readonly: true }),
    state: fields.selection({ draft: 'Draft', sale: 'Sale' }, { default: 'draft', tracking: true }),
    partner_id: fields.many2one('shop.partner', {
      required: true,
      label: 'Customer',
      domain: [['is_blocked', '=', false]],
      checkCompany: true,
    }),
    company_id: fields.many2one('core.company'),
    note: fields.text(),
    rate: fields.decimal({ precision: [12, 4] }),
    opened_at: fields.datetime(),
    extra: fields.json(),
    margin: fields.integer({ groups: ['shop.manager'] }),
    pin: fields.char({ secret: true }),
    line_ids: fields.one2many('shop.line', 'order_id'),
    memo_ids: fields.one2many('shop.memo', 'order_id'),
    invoice_ids: fields.one2many('shop.invoice', 'order_id'),
    tag_ids: fields.many2many('shop.label'),
    amount: fields.decimal({ computed: true, stored: true }),
  },
  computes: { amount: { sum: 'line_ids.subtotal' } },
});

const line = defineModel('shop.line', {
  label: 'Line',
  fields: {
    order_id: fields.many2one('shop.order', { required: true, ondelete: 'cascade', readonly: true }),
    product: fields.char({ required: true }),
    qty: fields.decimal({ default: 1 }),
    price: fields.decimal({ default: 0 }),
    discount: fields.integer({ readonly: true }),
    subtotal: fields.decimal({ computed: true, stored: true }),
  },
  computes: {
    subtotal: {
      depends: ['qty', 'price'],
      value: (record) => (record.qty as Decimal).times((record.price as Decimal | null) ?? new Decimal(0)),
    },
  },
});

const memo = defineModel('shop.memo', {
  label: 'Memo',
  fields: { order_id: fields.many2one('shop.order', { ondelete: 'set null' }), text: fields.text() },
});

const invoice = defineModel('shop.invoice', {
  label: 'Invoice',
  fields: { order_id: fields.many2one('shop.order', { required: true, ondelete: 'restrict' }), ref: fields.char() },
});

export const shopModels: readonly ModelDefinition[] = [company, partner, tag, order, line, memo, invoice, sysModelData];

export function openShop(more: readonly ModelDefinition[] = []): Promise<TestWorld> {
  return createTestEnv([...shopModels, ...more]);
}

/** A rule on one model for every operation, or for those that are named. */
export function ruleOn(
  model: string,
  domain: readonly unknown[],
  operations: readonly ('read' | 'write' | 'create' | 'unlink')[] = ['read', 'write', 'create', 'unlink'],
): {
  rules: ReadonlyMap<
    string,
    readonly {
      name: string;
      domain: ReturnType<typeof parseDomain>;
      groups: string[];
      operations: Set<(typeof operations)[number]>;
    }[]
  >;
} {
  return {
    rules: new Map([
      [model, [{ name: 'test', domain: parseDomain(domain), groups: [], operations: new Set(operations) }]],
    ]),
  };
}

export async function makePartner(env: Env, values: Record<string, unknown> = {}): Promise<number> {
  return env.model('shop.partner').create({ name: 'Ada', ...values });
}

export async function makeOrder(env: Env, values: Record<string, unknown> = {}): Promise<number> {
  const partnerId = values.partner_id ?? (await makePartner(env));
  return env.model('shop.order').create({ name: 'S1', ...values, partner_id: partnerId });
}

/** What a promise was refused with. */
export async function refusal(
  work: Promise<unknown>,
): Promise<{ code: string; message: string; details: Record<string, unknown> }> {
  try {
    await work;
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: Record<string, unknown> };
    if (code === undefined) throw error;
    return { code, message, details };
  }
  throw new Error('It was not refused.');
}
