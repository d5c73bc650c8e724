// Checked by `tsc`: every line below `@ts-expect-error` is a mistake in server code that does not compile.
import './proof/shop-margin.ts';
import { Decimal, domain, type Env, open } from '@kontor/addon';

export async function domains(env: Env) {
  const baskets = env.model('proof.basket');
  // @ts-expect-error a state that does not exist
  await baskets.search([['state', '=', 'sodl']]);
  // @ts-expect-error a state that does not exist, in a list
  await baskets.search(['!', ['state', 'in', ['sold', 'sodl']]]);
  // @ts-expect-error yes where money belongs
  await baskets.search([['total', '>', true]]);
  // @ts-expect-error a list where one value belongs
  await baskets.search([['client_id', '=', [1, 2]]]);
  // @ts-expect-error one value where a list belongs
  await baskets.search([['client_id', 'in', 1]]);
  // @ts-expect-error a name where an id belongs
  await baskets.search([['client_id', '=', 'Ada']]);
  // @ts-expect-error a path that does not exist
  await baskets.search([['client_id.country_id.cod', '=', 'DE']]);
  // @ts-expect-error a path that does not exist, in another addon's model
  await env.model('proof.item').search([['basket_id.client_id.country_id.cod', '=', 'DE']]);
  // @ts-expect-error an operator that does not exist
  await baskets.search([['name', '==', 'S1']]);
  // @ts-expect-error an operator that is not for numbers
  await baskets.search([['payment_days', 'ilike', '3']]);
  // @ts-expect-error an operator that is not for yes and no
  await baskets.search([['urgent', '>', true]]);
  // @ts-expect-error a domain of another model
  await baskets.search(domain('core.partner', [['name', '=', 'Ada']]));
  // @ts-expect-error a field that does not exist
  await baskets.search([], { order: '-ordered_ta' });
  // @ts-expect-error a field that does not exist
  await baskets.searchRead([], ['nme']);
  // @ts-expect-error a field of the lines that does not exist
  await baskets.searchRead([], [{ item_ids: ['nme'] }]);
  // @ts-expect-error lines of a field that is no relation
  await baskets.read([1], [{ name: ['x'] }]);
}

export async function groups(env: Env) {
  const baskets = env.model('proof.basket');
  // @ts-expect-error months are for dates
  await baskets.readGroup({ groupby: ['name:month'] });
  // @ts-expect-error a granularity that does not exist
  await baskets.readGroup({ groupby: ['ordered_at:moth'] });
  // @ts-expect-error a field that does not exist
  await baskets.readGroup({ groupby: ['client'] });
  // @ts-expect-error a path that does not exist
  await baskets.readGroup({ groupby: ['client_id.contry_id'] });
  // @ts-expect-error text cannot be summed
  await baskets.readGroup({ groupby: ['state'], fields: [{ name: 'x', field: 'name', measure: 'sum' }] });
  // @ts-expect-error rows are sorted by what they have
  await baskets.readGroup({ groupby: ['state'], order: '-total' });
  const rows = await baskets.readGroup({
    groupby: ['state'],
    fields: [{ name: 'latest', field: 'ordered_at', measure: 'max' }],
  });
  // @ts-expect-error a group that was not asked for
  rows[0]?.client_id;
  // @ts-expect-error the latest of nothing is null
  rows[0]?.latest.slice(0, 10);
}

export async function values(env: Env) {
  const baskets = env.model('proof.basket');
  // @ts-expect-error the client is missing
  await baskets.create({ note: 'x' });
  // @ts-expect-error the price of the item is missing
  await baskets.create({ client_id: 3, item_ids: [['create', { name: 'A' }]] });
  // @ts-expect-error an unknown field of the item
  await baskets.create({ client_id: 3, item_ids: [['create', { name: 'A', price: 1, qty: 3 }]] });
  // @ts-expect-error an unknown command
  await baskets.write([1], { item_ids: [['add', 3]] });
  // @ts-expect-error a required value cannot be emptied
  await baskets.write([1], { client_id: null });
  // @ts-expect-error a relation is written by id
  await baskets.write([1], { client_id: 'Ada' });
  // @ts-expect-error a field that is only computed
  await baskets.write([1], { total: new Decimal(3) });
  // @ts-expect-error a field of the kernel
  await baskets.write([1], { id: 3 });
  // @ts-expect-error a field that no addon adds
  await baskets.write([1], { costs: 3 });
  // @ts-expect-error a state that does not exist
  await baskets.write([1], { state: 'sodl' });
  // @ts-expect-error only what was loaded can be read
  (await baskets.load([1], ['name']))[0]?.note;
}

export async function calls(env: Env) {
  const baskets = env.model('proof.basket');
  // @ts-expect-error a move that does not exist
  await baskets.call([1], 'sel');
  // @ts-expect-error by the name that it has outside
  await baskets.call([1], 'action_sell');
  // @ts-expect-error a move that needs answers
  await baskets.call([1], 'send');
  // @ts-expect-error an answer that is missing
  await baskets.call([1], 'send', { copy: true });
  // @ts-expect-error an answer of the wrong type, to a move of an inheriting addon
  await baskets.call([1], 'shelve', { until: 3 });
  // @ts-expect-error an answer that was not asked for
  await baskets.call([1], 'sell', { to: 'x' });
  // @ts-expect-error a model without moves
  await env.model('proof.client').call([1], 'sell');
  // @ts-expect-error only what has `active` is archived
  await baskets.call([1], 'archive');
}

export function addresses() {
  // @ts-expect-error a model that does not exist
  open('proof.baskte');
  // @ts-expect-error a view that does not exist
  open('proof.basket', { view: 'lst' });
  // @ts-expect-error a value that is not among the states
  open('proof.basket', { domain: [['state', '=', 'sodl']] });
  // @ts-expect-error a default for a field that does not exist
  open('proof.basket', { context: { default_nme: 'x' } });
}
