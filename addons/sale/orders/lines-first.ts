import type { Env, WriteValues } from '@kontor/addon';

type Order = WriteValues<'sale.order'>;

/** Lines that come with a state belong to the order as it was: they are written before it is settled. */
export async function linesFirst(env: Env, ids: readonly number[], values: Order): Promise<Order> {
  const { line_ids: lines, ...rest } = values;
  if (lines === undefined || (rest.state !== 'sale' && rest.state !== 'cancel')) return values;
  await env.model('sale.order').write(ids, { line_ids: lines });
  return rest;
}
