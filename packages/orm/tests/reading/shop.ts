import { ident, join, sql } from '@kontor/database';
import {
  type AccessPolicy,
  type Actor,
  Decimal,
  defineModel,
  type Env,
  fields,
  type LoadedRecord,
  type ModelDefinition,
} from '@kontor/orm';
import { type DomainNode, parseDomain } from '@kontor/protocol';
import { createTestEnv, type TestWorld } from '@kontor/testing';

const country = defineModel('t.country', { order: 'name', fields: { name: fields.char(), code: fields.char() } });

const tag = defineModel('t.tag', { order: 'name', fields: { name: fields.char(), hidden: fields.boolean() } });

const partner = defineModel('t.partner', {
  displayName: '{name} ({ref})',
  order: 'name',
  fields: {
    name: fields.char(),
    ref: fields.char(),
    hidden: fields.boolean(),
    country_id: fields.many2one('t.country'),
    parent_id: fields.many2one('t.partner'),
    child_ids: fields.one2many('t.partner', 'parent_id'),
    order_ids: fields.one2many('t.order', 'partner_id'),
    salary: fields.decimal({ groups: ['hr'] }),
    password: fields.char({ secret: true }),
    shout: fields.char({ computed: true }),
  },
  computes: {
    shout: { depends: ['name'], value: (record) => `${String(record.name).toUpperCase()}!` },
  },
});

const order = defineModel('t.order', {
  label: 'Order',
  order: '-id',
  fields: {
    name: fields.char(),
    note: fields.text(),
    body: fields.html(),
    qty: fields.integer(),
    weight: fields.float(),
    rate: fields.decimal({ precision: [30, 10] }),
    total: fields.monetary(),
    paid: fields.boolean(),
    day: fields.date(),
    at: fields.datetime(),
    state: fields.selection({ draft: 'Draft', sale: 'Sale', done: 'Done' }),
    file: fields.binary(),
    meta: fields.json(),
    about: fields.reference(),
    partner_id: fields.many2one('t.partner'),
    line_ids: fields.one2many('t.line', 'order_id'),
    tag_ids: fields.many2many('t.tag'),
    partner_name: fields.char({ related: 'partner_id.name' }),
    country_id: fields.many2one('t.country', { related: 'partner_id.country_id' }),
    line_count: fields.integer({ computed: true }),
    line_sum: fields.monetary({ computed: true }),
    all_lines: fields.integer({ computed: true }),
    whole_summary: fields.char({ computed: true }),
    double: fields.monetary({ computed: true }),
    biggest_id: fields.many2one('t.line', { computed: true }),
    summary: fields.char({ computed: true }),
    chained: fields.char({ computed: true }),
    careless: fields.char({ computed: true }),
  },
  computes: {
    line_count: { count: 'line_ids' },
    all_lines: { count: 'line_ids', asServer: 'The house counts everything.' },
    whole_summary: {
      depends: ['partner_id.country_id.name', 'line_ids.product'],
      value: (record) => summarise(record),
      asServer: 'The house tells everything.',
    },
    line_sum: { sum: 'line_ids.price' },
    double: { depends: ['total'], value: ({ total }) => (total as Decimal | null)?.times(2) },
    biggest_id: { depends: ['line_ids.price'], value: (record) => biggest(record.line_ids as readonly LoadedRecord[]) },
    summary: {
      depends: ['partner_id.country_id.name', 'line_ids.product'],
      value: (record) => summarise(record),
    },
    chained: { depends: ['summary', 'double'], value: ({ summary, double }) => `${summary} / ${double}` },
    careless: { depends: ['qty'], value: (record) => record.name },
  },
});

const line = defineModel('t.line', {
  order: 'sequence',
  displayName: '{product}',
  fields: {
    order_id: fields.many2one('t.order', { ondelete: 'cascade' }),
    sequence: fields.integer(),
    product: fields.char(),
    price: fields.monetary(),
    tag_ids: fields.many2many('t.tag'),
    hidden: fields.boolean(),
  },
});

const none = new Decimal(0);

/** Sorted by something that not everybody may read. */
const visit = defineModel('t.visit', {
  order: '-partner_id.salary, partner_id.name',
  fields: { partner_id: fields.many2one('t.partner'), after_id: fields.many2one('t.visit') },
});

function biggest(lines: readonly LoadedRecord[]): LoadedRecord | undefined {
  return lines.toSorted((a, b) => ((b.price ?? none) as Decimal).cmp((a.price ?? none) as Decimal))[0];
}

function summarise(record: LoadedRecord): string {
  const customer = record.partner_id as { country_id: { name: string } | null } | null;
  const products = (record.line_ids as readonly { product: string }[]).map((each) => each.product);
  return `${customer?.country_id?.name ?? 'nowhere'}: ${products.join('+')}`;
}

export const shopModels: readonly ModelDefinition[] = [country, tag, partner, order, line, visit];

const readable = { group: null, read: true, write: false, create: false, unlink: false } as const;

/** Everyone may read everything, but for hidden rows. */
export function shopPolicy(without: readonly string[] = []): AccessPolicy {
  const names = shopModels.map((model) => model.name).filter((name) => !without.includes(name));
  const rule = (name: string, domain: DomainNode) => ({
    name,
    domain,
    groups: [],
    operations: new Set(['read' as const]),
  });
  const shown = parseDomain([['hidden', '!=', true]]);
  return {
    access: new Map(names.map((name) => [name, [readable]])),
    rules: new Map(['t.partner', 't.tag', 't.line'].map((name) => [name, [rule('not hidden', shown)]])),
  };
}

export interface Shop extends TestWorld {
  insert(model: string, rows: readonly Record<string, unknown>[]): Promise<number[]>;
  link(model: string, field: string, pairs: readonly (readonly [number, number])[]): Promise<void>;
  user(actor?: Partial<Actor>, without?: readonly string[]): Env;
}

/** Tables of a small shop, filled without the write side, so that these tests stand alone. */
export async function createShop(): Promise<Shop> {
  const world = await createTestEnv(shopModels);
  return {
    ...world,
    async insert(name, rows) {
      const model = world.registry.model(name);
      const ids: number[] = [];
      for (const row of rows) {
        const cells = Object.entries(row).map(([key, value]) => {
          const field = model.fields.get(key);
          if (!field?.column) throw new Error(`No column for ${name}.${key}.`);
          return [ident(field.column), field.kind.toParameter(field.kind.cast(value, field))] as const;
        });
        const values = join(cells.map(([, value]) => sql`${value}`));
        const given = sql`(${join(cells.map(([column]) => column))}) values (${values})`;
        const [added] = await world.database.arrays(
          sql`insert into ${ident(model.table)} ${cells.length > 0 ? given : sql`default values`} returning id`,
        );
        ids.push(added?.[0] as number);
      }
      return ids;
    },
    async link(name, field, pairs) {
      const through = world.registry.model(name).fields.get(field)?.through;
      if (!through) throw new Error(`${name}.${field} is not a many2many.`);
      for (const [own, other] of pairs) {
        await world.database.execute(
          sql`insert into ${ident(through.table)} (${ident(through.own)}, ${ident(through.other)}) values (${own}, ${other})`,
        );
      }
    },
    user: (actor = {}, without = []) => world.as({ uid: 7, ...actor }, world.database, shopPolicy(without)),
  };
}
