import { type Env, text, UserError } from '@kontor/addon';
import type { OrderState } from '../models/order-states.ts';

/** What a customer agreed to is not changed under their hands. Data that the server itself brings may. */
export async function checkOpen(
  env: Env,
  orderIds: readonly number[],
  closedStates: readonly OrderState[] = ['sale', 'cancel'],
): Promise<void> {
  if (env.isSudo || orderIds.length === 0) return;
  const closed = await env
    .sudo()
    .model('sale.order')
    .searchRead(
      [
        ['id', 'in', [...new Set(orderIds)]],
        ['state', 'in', closedStates],
      ],
      ['name', 'state'],
      { limit: 1 },
    );
  const [order] = closed;
  if (order === undefined) return;
  const { name } = order;
  throw new UserError(
    order.state === 'sale'
      ? text(
          '{name} is confirmed, so its lines stay as they are. Cancel it and reset it to a quotation to change them.',
          { name },
        )
      : text('{name} is cancelled, so its lines stay as they are. Reset it to a quotation to change them.', { name }),
    { model: 'sale.order', id: order.id },
  );
}
