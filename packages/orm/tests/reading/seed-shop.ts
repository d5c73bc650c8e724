import type { Shop } from './shop.ts';

export interface Seeds {
  readonly countries: number[];
  readonly partners: number[];
  readonly orders: number[];
  readonly lines: number[];
  readonly tags: number[];
  readonly visits: number[];
}

/** A few orders: Zoe's and Abe's, one of a hidden partner, one of nobody. */
export async function seedShop(shop: Shop): Promise<Seeds> {
  const countries = await shop.insert('t.country', [
    { name: 'Austria', code: 'AT' },
    { name: 'Chile', code: 'CL' },
  ]);
  const [at, cl] = countries;
  const partners = await shop.insert('t.partner', [
    { name: 'Zoe', ref: 'Z', country_id: at, salary: '10.5', password: 'x' },
    { name: 'Abe', ref: 'A', country_id: cl },
    { name: 'Mia', hidden: true, country_id: at },
  ]);
  const [zoe, abe, mia] = partners;
  await shop.insert('t.partner', [
    { name: 'Kid', parent_id: zoe },
    { name: 'Ghost', parent_id: zoe, hidden: true },
  ]);
  const tags = await shop.insert('t.tag', [{ name: 'b' }, { name: 'a' }, { name: 'h', hidden: true }]);
  const orders = await shop.insert('t.order', [
    { name: 'O1', partner_id: zoe, total: '0.30', qty: 3, state: 'draft' },
    { name: 'O2', partner_id: abe, total: '12345678901234.5678', qty: 1, state: 'sale' },
    { name: 'O3', partner_id: mia, qty: 2 },
    { name: 'O4', qty: 2 },
  ]);
  const lines = await shop.insert('t.line', [
    { order_id: orders[0], sequence: 2, product: 'two', price: '2' },
    { order_id: orders[0], sequence: 1, product: 'one', price: '5.5' },
    { order_id: orders[1], sequence: 1, product: 'x', price: '1', hidden: true },
    { order_id: orders[1], sequence: 2, product: 'y', price: '1' },
  ]);
  await shop.link('t.order', 'tag_ids', [
    [orders[0], tags[0]],
    [orders[0], tags[1]],
    [orders[0], tags[2]],
  ] as [number, number][]);
  await shop.link('t.line', 'tag_ids', [[lines[0], tags[0]]] as [number, number][]);
  const visits = await shop.insert('t.visit', [{ partner_id: zoe }, { partner_id: abe }]);
  return { countries, partners, orders, lines, tags, visits };
}
