import { under } from '@addons/product';
import type { Env } from '@kontor/addon';
import { orderPaths, productPaths, unitCost } from './line-from-product.ts';

const paths = [
  ...under('product_id', productPaths),
  ...under('order_id', orderPaths),
  'quantity',
  'uom_id.factor',
  'unit_cost',
] as const;

/** A line that now names another product or unit has another cost. */
export async function refreshCost(env: Env, ids: readonly number[]): Promise<void> {
  const system = env.sudo();
  const lines = await system.model('sale.order.line').load(ids, [...paths]);
  const byCost = new Map<string, number[]>();
  for (const { id, product_id: product, order_id: order, quantity, uom_id: unit } of lines) {
    const cost = product === null ? '0' : unitCost({ product, order, quantity, unit }).toFixed(4);
    byCost.set(cost, [...(byCost.get(cost) ?? []), id]);
  }
  for (const [unit_cost, own] of byCost) await system.model('sale.order.line').write(own, { unit_cost });
}
