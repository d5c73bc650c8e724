import { under } from '@addons/product';
import type { ActionCall } from '@kontor/addon';
import { pricePaths, unitPrice } from '../lines/line-from-product.ts';

/** Prices the lines of each order again. Costs and lists are the server's to read; prices are written with the caller's rights. */
export async function updatePrices({ env, records }: ActionCall<'sale.order'>): Promise<void> {
  const today = env.now.toISOString().slice(0, 10);
  const orders = await env.sudo().model('sale.order').load(records.ids, under('line_ids', pricePaths));
  for (const { id, line_ids: lines } of orders) {
    const priced = lines.flatMap((line) => {
      const price_unit = unitPrice(line, today);
      return price_unit === null ? [] : [['update', line.id, { price_unit }] as const];
    });
    if (priced.length > 0) await env.model('sale.order').write([id], { line_ids: priced });
  }
}
