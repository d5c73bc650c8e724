import { postComment } from '@addons/mail';
import { type ActionCall, fields, notify, open, UserError } from '@kontor/addon';

const model = 'sale.order';
export const handOverAsks = {
  user_id: fields.many2one('core.user', { label: 'Colleague' }),
  note: fields.text(),
};

/** Gives orders to a colleague, out of one's own sight where the rules say so, which a plain write may not do. */
export async function handOver({ env, records, answers }: ActionCall<'sale.order', typeof handOverAsks>) {
  const userId = answers.user_id ?? 0;
  const server = env.sudo();
  const [colleague] = await server.model('core.user').searchRead([['id', '=', userId]], ['active', 'company_ids']);
  if (!colleague?.active) throw new UserError('Choose the colleague who takes over.');
  const orders = await records.load('name', 'company_id.id');
  if (orders.some((order) => !colleague.company_ids.some((id) => id === order.company_id.id))) {
    throw new UserError('Your colleague does not work in the company of this order.');
  }
  const note = answers.note?.trim();
  if (note) for (const id of records.ids) await postComment(env, { model, id }, note);
  await server.model(model).write(records.ids, { user_id: userId });
  const title = orders.map((order) => order.name).join(', ');
  if (userId !== env.uid) await notify(env, userId, { kind: 'info', title, body: note ?? '' });
  const seen = await env.model(model).search([['id', 'in', records.ids]]);
  return seen.length === records.ids.length ? undefined : open(model, { action: 'sale.all_orders' });
}
