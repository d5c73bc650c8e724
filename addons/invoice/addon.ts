import { defineAddon } from '@kontor/addon';
import { invoiceAllocation } from './models/allocation.ts';
import { invoiceInvoice } from './models/invoice.ts';
import { invoiceLine } from './models/line.ts';
import { invoicedLine, invoicedOrder } from './models/order.ts';
import { invoicePartner } from './models/partner.ts';
import { invoicePayment } from './models/payment.ts';
import { invoiceSettings } from './models/settings.ts';

export type * from './models/allocation.ts';
export type * from './models/invoice.ts';
export type * from './models/line.ts';
export type * from './models/payment.ts';

export default defineAddon({
  models: [
    ...[invoiceInvoice, invoiceLine, invoicePayment, invoiceAllocation, ...invoiceSettings],
    ...[invoicedOrder, invoicedLine, invoicePartner],
  ],
});
