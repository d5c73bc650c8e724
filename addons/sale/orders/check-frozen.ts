import { type Env, text, UserError, type WriteValues } from '@kontor/addon';

const frozen = ['partner_id', 'pricelist_id', 'company_id', 'date_order', 'line_ids'] as const;

/** Whom an order is for, and at what prices, is settled once it is confirmed. */
export async function checkFrozen(env: Env, ids: readonly number[], values: WriteValues<'sale.order'>): Promise<void> {
  const changed = frozen.filter((name) => values[name] !== undefined);
  if (env.isSudo || changed.length === 0) return;
  const orders = await env
    .sudo()
    .model('sale.order')
    .load(ids, ['name', 'state', 'partner_id', 'pricelist_id', 'company_id', 'date_order']);
  for (const order of orders) {
    if (order.state !== 'sale' && order.state !== 'cancel') continue;
    const differs = changed.some((name) => name === 'line_ids' || !isSame(order[name], values[name]));
    if (!differs) continue;
    const { name } = order;
    throw new UserError(
      order.state === 'sale'
        ? text('{name} is settled. Cancel it and reset it to a quotation to change it.', { name })
        : text('{name} is settled. Reset it to a quotation to change it.', { name }),
      { model: 'sale.order', id: order.id },
    );
  }
}

function isSame(now: unknown, given: unknown): boolean {
  const value = typeof now === 'object' && now !== null && 'id' in now ? now.id : now;
  if (typeof value === 'string' && typeof given === 'string') return Date.parse(value) === Date.parse(given);
  return value === given;
}
