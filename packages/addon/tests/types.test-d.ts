// Checked by `tsc`: what compiles, across addons.
import {
  type Decimal,
  domain,
  type Env,
  type Loaded,
  type ModelDefinition,
  open,
  openPath,
  type RecordOf,
} from '@kontor/addon';
import { basket, client, item, stage } from './proof/shop.ts';
import { basketMargin } from './proof/shop-margin.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const ok = <_T extends true>() => {};

export const definitions: readonly ModelDefinition[] = [basket, item, stage, client, basketMargin];

// Models of the kernel, of the shipped addons and of others are known together.
ok<Equal<RecordOf<'core.user'>['name'], string>>();
ok<Equal<NonNullable<Loaded<'core.partner', 'country_id.code'>['country_id']>['code'], string>>();
ok<Equal<NonNullable<Loaded<'proof.basket', 'create_uid.name'>['create_uid']>['name'], string>>();
// Fields that an extension adds reach every record of the model.
ok<Equal<RecordOf<'proof.basket'>['margin'], Decimal>>();
ok<Equal<Loaded<'proof.item', 'basket_id.margin'>['basket_id']['margin'], Decimal>>();

type Basket = RecordOf<'proof.basket'>;
type State = 'draft' | 'sent' | 'sold' | 'cancelled';
ok<Equal<Basket['state'], State>>();
ok<Equal<Basket['note'], string | null>>();
ok<Equal<Basket['urgent'], boolean>>();
ok<Equal<Basket['total'], Decimal>>();
ok<Equal<Basket['payment_days'], number | null>>();
export const label = (one: Loaded<'proof.basket', 'name' | 'client_id.name'>) => `${one.name} ${one.client_id.name}`;

export async function domains(env: Env, days: readonly number[], isUrgent: boolean) {
  const baskets = env.model('proof.basket');
  await baskets.search();
  await baskets.search(
    [['state', '=', 'sold'], '|', ['client_id.country_id.code', 'ilike', 'D%'], ['client_id', '=', null]],
    { order: '-ordered_at, client_id.name, id', limit: 5 },
  );
  await baskets.count([
    ['item_ids.quantity', '>=', '1.5'],
    ['urgent', '=', true],
    ['total', '>', 5],
    ['client_id', 'in', [1, null]],
    ['client_id', 'child_of', 3],
    ['id', 'child_of', 3],
    ['client_id.name', '=like', 'A%'],
    ['user_id', '=', '$uid'],
    ['company_id', 'in', '$company_ids'],
    ['ordered_at', '<', '2026-01-01'],
    ['state', 'not in', ['draft']],
    ['payment_days', 'in', days],
    ...(isUrgent ? [['urgent', '=', true] as const] : []),
  ]);
  const sold = domain('proof.basket', [['state', '=', 'sold']]);
  await baskets.search([...sold, ['urgent', '=', isUrgent]]);
  return baskets.searchRead(sold, ['name', { item_ids: ['quantity'] }], { order: 'name' });
}

export async function reads(env: Env) {
  const baskets = env.model('proof.basket');
  const [loaded] = await baskets.load([1], ['client_id.country_id.name', 'item_ids.quantity', 'state']);
  ok<Equal<NonNullable<typeof loaded>['state'], State>>();
  const deep: string | undefined = loaded?.client_id.country_id?.name;
  const [row] = await baskets.read(
    [1],
    ['client_id', 'client_id.name', 'item_ids', { item_ids: ['quantity', 'name'] }],
  );
  ok<Equal<NonNullable<typeof row>['client_id'], number>>();
  ok<Equal<NonNullable<typeof row>['client_id.name'], string | null>>();
  const quantity: Decimal | undefined = row?.item_ids[0]?.quantity;
  return [deep, quantity];
}

export async function groups(env: Env) {
  const rows = await env.model('proof.basket').readGroup({
    domain: [['state', '=', 'sold']],
    groupby: ['ordered_at:month', 'ordered_at:hour', 'client_id', 'state', 'user_id', 'client_id.country_id', 'urgent'],
    fields: [
      { name: 'all', field: 'total', measure: 'sum' },
      { name: 'mean', field: 'item_count', measure: 'avg' },
      { name: 'first', field: 'ordered_at', measure: 'min' },
      { name: 'clients', field: 'client_id', measure: 'count_distinct' },
    ],
    order: '-ordered_at:month, client_id.display_name, -all, __count',
  });
  type Row = (typeof rows)[number];
  ok<Equal<Row['ordered_at:month'], string | null>>();
  ok<Equal<Row['client_id'], number>>();
  ok<Equal<Row['client_id.display_name'], string | null>>();
  ok<Equal<Row['user_id'], number | null>>();
  ok<Equal<Row['client_id.country_id'], number | null>>();
  ok<Equal<Row['state'], State>>();
  ok<Equal<Row['urgent'], boolean>>();
  ok<Equal<Row['all'], Decimal>>();
  ok<Equal<Row['mean'], Decimal | null>>();
  ok<Equal<Row['first'], string | null>>();
  ok<Equal<Row['clients'], number>>();
  ok<Equal<Row['__count'], number>>();
  return Promise.all(rows.map((row) => env.model('proof.basket').search(row.__domain)));
}

export async function values(env: Env) {
  const baskets = env.model('proof.basket');
  const id = await baskets.create({
    client_id: 3,
    payment_days: 14,
    item_ids: [
      ['create', { name: 'A', price: '9.99' }],
      ['update', 4, { quantity: 2 }],
      ['link', 4],
    ],
    watcher_ids: [['set', [1, 2]]],
  });
  await baskets.write([id], { cost: 3, sold_at: null, user_id: 4 });
}

export async function calls(env: Env) {
  const baskets = env.model('proof.basket');
  await baskets.call([1], 'sell');
  await baskets.call([1], 'cancel');
  await baskets.call([1], 'copy');
  await baskets.call([1], 'print');
  await baskets.call([1], 'count');
  await baskets.call([1], 'send', { to: 'a@b.c' });
  await baskets.call([1], 'refuse', { reason: 'dear' });
  await baskets.call([1], 'hand_over', { user_id: 3 });
  // Of an addon that extends the model.
  await baskets.call([1], 'shelve', { until: '2026-01-01' });
  await baskets.call([1], 'to_client');
  await env.model('core.user').call([1], 'archive');
  const id: number = await env.ref('proof.group_manager');
  return id;
}

export const addresses = [
  open('proof.basket'),
  open('proof.basket', { id: 3, target: 'dialog' }),
  open('proof.basket', { view: 'list', domain: [['state', '=', 'sold']], context: { default_client_id: 3 } }),
  open('proof.basket', { action: 'proof.baskets', activeIds: [1] }),
  openPath('/proof/3.pdf'),
];
