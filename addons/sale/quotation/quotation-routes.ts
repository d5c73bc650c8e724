import { type RouteRequest, type RouteSpec, UserError } from '@kontor/addon';
import { printedFile } from '../document/printed-file.ts';
import { drawQuotation } from './draw-quotation.ts';

/** The printed order, for users who may read it: people at `/web/sale/quotation/7.pdf`, programs at `/api/sale/quotation/7.pdf`. */
export const quotationRoutes: readonly RouteSpec[] = [
  { method: 'GET', path: '/web/sale/quotation/:id(^\\d{1,9}).pdf', auth: 'session', handler: printOrder },
  { method: 'GET', path: '/api/sale/quotation/:id(^\\d{1,9}).pdf', auth: 'apikey', handler: printOrder },
  { method: 'GET', path: '/web/sale/sent/:id(^\\d{1,9}).pdf', auth: 'session', handler: showSent },
];

/** The address for people. */
export function quotationPath(id: number): string {
  return `/web/sale/quotation/${id}.pdf`;
}

export async function printOrder({ env, params }: RouteRequest) {
  const id = Number(params.id);
  const { name, pdf } = await drawQuotation(env, id);
  return printedFile({ model: 'sale.order', id, name, body: pdf });
}

/** A version as it was sent, for users who may read its order. */
async function showSent({ env, params }: RouteRequest) {
  const [sent] = await env.model('sale.order.sent').read([Number(params.id)], ['name', 'data', 'order_id']);
  if (!sent?.data) throw new UserError('The document was erased with the data of the customer.');
  return printedFile({
    model: 'sale.order',
    id: sent.order_id,
    name: sent.name,
    body: Buffer.from(sent.data, 'base64'),
  });
}
