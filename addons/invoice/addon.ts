import { defineAddon } from '@kontor/addon';
import { invoiceInvoice } from './models/invoice.ts';
import { invoiceLine } from './models/line.ts';
import { invoicedLine, invoicedOrder } from './models/order.ts';
import { invoicePartner } from './models/partner.ts';
import { invoiceSettings } from './models/settings.ts';

export type * from './models/invoice.ts';
export type * from './models/line.ts';

export default defineAddon({
  models: [invoiceInvoice, invoiceLine, invoicedOrder, invoicedLine, invoicePartner, ...invoiceSettings],
});
