import { under } from '@addons/product';
import { type ActionCall, type CallsOf, defineModel, type FieldsOf, fields, UserError } from '@kontor/addon';
import { mailQuotations } from '../orders/mail-quotations.ts';
import { letterPaths, quotationLetter } from '../orders/quotation-letter.ts';
import { pdfName } from '../quotation/load-quotation.ts';

const sendFields = {
  order_id: fields.many2one('sale.order', { label: 'Quotation', required: true, ondelete: 'cascade' }),
  recipient: fields.char({ label: 'To', size: 320 }),
  subject: fields.char({ size: 200 }),
  body: fields.text({ label: 'Message' }),
  file_name: fields.char({ label: 'Attached', computed: true }),
};

export interface SaleOrderSend extends FieldsOf<typeof sendFields> {}
export interface SaleOrderSendCalls extends CallsOf<typeof saleOrderSend> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.order.send': SaleOrderSend;
  }
  interface Calls {
    'sale.order.send': SaleOrderSendCalls;
  }
}

/** The dialog that a quotation is sent from: to whom, in which words, with the PDF. */
export const saleOrderSend = defineModel('sale.order.send', {
  label: 'Send quotation',
  transient: true,
  fields: sendFields,
  computes: {
    file_name: { depends: ['order_id.name'], value: ({ order_id: order }) => (order?.name ? pdfName(order.name) : '') },
  },
  onchange: {
    order_id: {
      reads: under('order_id', letterPaths),
      value: ({ order_id: order }) => (order ? quotationLetter(order) : undefined),
    },
  },
  constraints: {
    address: {
      on: ['recipient'],
      holds: ({ recipient }) => recipient === null || /^[^\s@<>,]+@[^\s@<>,]+$/.test(recipient),
      message: 'This is no e-mail address.',
    },
  },
  actions: {
    send: sendFromDialog,
    /** For what went out by other ways: on paper, or by a mail program. */
    async mark_sent({ env, records }) {
      const [asked] = await records.load('order_id.id', 'order_id.state');
      if (asked && asked.order_id.state !== 'sent') {
        await env.model('sale.order').write([asked.order_id.id], { state: 'sent' });
      }
    },
  },
});

async function sendFromDialog({ env, records }: ActionCall<'sale.order.send'>): Promise<void> {
  const [asked] = await records.load('order_id.id', 'order_id.state', 'recipient', 'subject', 'body');
  if (!asked) return;
  const { order_id: order, recipient, subject, body } = asked;
  if (!recipient || !subject || !body) throw new UserError('Say to whom it goes, with a subject and a message.');
  if (order.state !== 'sent') await env.model('sale.order').write([order.id], { state: 'sent' });
  if (await mailQuotations(env, [order.id], { recipient, subject, body })) return;
  throw new UserError('No mail server is set up. Print the quotation, and mark it as sent.');
}
