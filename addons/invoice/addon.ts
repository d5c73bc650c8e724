import { retaxLines } from '@addons/sale';
import { defineAddon } from '@kontor/addon';
import { invoiceTexts } from './document/invoice-texts.ts';
import { invoiceRoutes } from './document/routes.ts';
import { keepAmounts } from './lines/keep-amounts.ts';
import { invoiceAllocation } from './models/allocation.ts';
import { invoiceDocument } from './models/document.ts';
import { invoiceInvoice } from './models/invoice.ts';
import { invoiceLine } from './models/line.ts';
import { invoicedLine, invoicedOrder } from './models/order.ts';
import { invoicePartner } from './models/partner.ts';
import { invoicePayment } from './models/payment.ts';
import { invoiceReceivable } from './models/receivable.ts';
import { invoiceReminder } from './models/reminder.ts';
import { invoiceSettings } from './models/settings.ts';

export { renewTaxes } from './lines/renew-taxes.ts';
export type * from './models/allocation.ts';
export type * from './models/document.ts';
export type * from './models/invoice.ts';
export type * from './models/line.ts';
export type * from './models/payment.ts';
export type * from './models/receivable.ts';
export type * from './models/reminder.ts';
export { openInvoices } from './orders/invoice-orders.ts';

export default defineAddon({
  models: [
    invoiceInvoice,
    invoiceReceivable,
    invoiceLine,
    invoiceDocument,
    invoiceReminder,
    invoicePayment,
    invoiceAllocation,
    ...invoiceSettings,
    invoicedOrder,
    invoicedLine,
    invoicePartner,
  ],
  texts: invoiceTexts,
  routes: invoiceRoutes,
  observers: [
    retaxLines({ model: 'invoice.invoice', lines: 'invoice.line', days: ['delivery_date', 'invoice_date'] }),
    keepAmounts,
  ],
});
