import { printedFile } from '@addons/sale';
import { type RouteRequest, type RouteSpec, UserError } from '@kontor/addon';
import { drawInvoice } from './draw-invoice.ts';

/** Archived documents and drafts, for users who may read the invoice; programs get the same with their API key. */
export const invoiceRoutes: readonly RouteSpec[] = [
  { method: 'GET', path: '/web/invoice/document/:id(^\\d{1,9}).pdf', auth: 'session', handler: showDocument },
  { method: 'GET', path: '/api/invoice/document/:id(^\\d{1,9}).pdf', auth: 'apikey', handler: showDocument },
  { method: 'GET', path: '/web/invoice/document/:id(^\\d{1,9}).xml', auth: 'session', handler: showDocument },
  { method: 'GET', path: '/api/invoice/document/:id(^\\d{1,9}).xml', auth: 'apikey', handler: showDocument },
  { method: 'GET', path: '/web/invoice/draft/:id(^\\d{1,9}).pdf', auth: 'session', handler: showDraft },
];

export async function showDocument({ env, params }: RouteRequest) {
  const [document] = await env
    .model('invoice.document')
    .read([Number(params.id)], ['name', 'data', 'invoice_id', 'mimetype']);
  const { name = '', data = '', invoice_id: id = 0, mimetype } = document ?? {};
  const body = Buffer.from(data, 'base64');
  return printedFile({ model: 'invoice.invoice', id, name, body, ...(mimetype && { mimetype }) });
}

async function showDraft({ env, params }: RouteRequest) {
  const { invoice, name, pdf } = await drawInvoice(env, Number(params.id));
  if (invoice.state === 'posted') throw new UserError('This invoice is posted. Print it.');
  return printedFile({ model: 'invoice.invoice', id: invoice.id, name, body: pdf });
}
