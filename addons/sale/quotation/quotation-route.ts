import type { RouteSpec } from '@kontor/addon';
import { drawQuotation } from './draw-quotation.ts';
import { loadQuotation, pdfName } from './load-quotation.ts';

/** `GET /web/sale/quotation/7.pdf`, for whoever may read order 7. */
export const quotationRoute: RouteSpec = {
  method: 'GET',
  path: '/web/sale/quotation/:id(^\\d{1,9}).pdf',
  auth: 'session',
  async handler({ env, params }) {
    const order = await loadQuotation(env, Number(params.id));
    return {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${pdfName(order.name)}"`,
        'cache-control': 'private, no-store',
      },
      body: await drawQuotation(order),
    };
  },
};
