import { addMessage } from '@addons/mail';
import {
  type ActionCall,
  composeMail,
  type Env,
  fields,
  formatAmount,
  formatDate,
  isMailAddress,
  type Loaded,
  queueMail,
  text,
  UserError,
  ValidationError,
  wordsIn,
} from '@kontor/addon';
import { drawQuotation } from '../quotation/draw-quotation.ts';
import { pdfName } from '../quotation/load-quotation.ts';

const asks = {
  recipient: fields.char({ label: 'To', size: 320 }),
  subject: fields.char({ size: 200 }),
  body: fields.text({ label: 'Message' }),
  file_name: fields.char({ label: 'Attached', readonly: true }),
};
type Call = ActionCall<'sale.order', typeof asks>;

/** Mails each quotation to its customer, with the default text unless another is given. It cannot be undone. */
export const sendAction = {
  icon: 'send',
  needs: ['has_lines'],
  asks,
  proposes: proposeLetter,
  run: sendQuotations,
  undo: false,
} as const;

/** With several orders, each has its own letter. */
async function proposeLetter({ env, records }: Pick<Call, 'env' | 'records'>) {
  const [order, ...others] = await records.load(...letterPaths);
  if (order === undefined || others.length > 0) return {};
  return { value: { ...letterFor(env, order), file_name: pdfName(order.name) } };
}

async function sendQuotations({ env, records, answers }: Call): Promise<void> {
  const { recipient, subject, body } = answers;
  if (recipient !== null && !isMailAddress(recipient)) {
    throw new ValidationError({ recipient: ['Enter a valid e-mail address.'] });
  }
  const said = { ...(recipient && { recipient }), ...(subject && { subject }), ...(body && { body }) };
  const isQueued = await mailQuotations(env, records.ids, said);
  // A given recipient means that a mail is wanted; without one, and if mail is not set up, the order is sent by other
  // means.
  if (!isQueued && recipient !== null) {
    throw new UserError('No mail server is set up. Print the quotation, and mark it as sent.');
  }
}

/** Those without an address are left out, unless a custom letter was written. False if mail is not set up. */
async function mailQuotations(env: Env, ids: readonly number[], said: Partial<Letter>): Promise<boolean> {
  const orders = await env.model('sale.order').load(ids, [...letterPaths, 'company_id.id']);
  let isQueued = false;
  for (const order of orders) {
    const { recipient, subject, body } = { ...letterFor(env, order), ...said };
    if (!recipient) {
      // A custom letter must be delivered.
      if (said.subject || said.body) {
        throw new UserError(
          text('Enter a recipient for {name}: the customer has no e-mail address.', { name: order.name }),
        );
      }
      continue;
    }
    const { name, pdf } = await drawQuotation(env, order.id);
    const mail = composeMail({
      to: recipient,
      words: customerWords(env, order),
      subject,
      paragraphs: body.split(/\n{2,}/),
      ...(order.user_id?.email ? { replyTo: order.user_id.email } : {}),
      attachments: [{ filename: name, contentType: 'application/pdf', content: pdf }],
    });
    isQueued = await queueMail(env, mail);
    if (!isQueued) return false;
    const thread = { model: 'sale.order', id: order.id, name: order.name, companyId: order.company_id.id };
    await addMessage(env, thread, 'system', `<p>${toHtml(recipient)} ← ${toHtml(subject)} (${name})</p>`);
  }
  return isQueued;
}

const letterPaths = [
  'name',
  'amount_total',
  'validity_date',
  'currency_id.symbol',
  'currency_id.decimal_places',
  'partner_id.name',
  'partner_id.email',
  'partner_id.lang',
  'user_id.name',
  'user_id.email',
  'user_id.signature',
  'company_id.name',
] as const;
type Order = Loaded<'sale.order', (typeof letterPaths)[number]>;

interface Letter {
  readonly recipient: string | null;
  readonly subject: string;
  readonly body: string;
}

/** The default text of a quotation, in the customer's language. */
function letterFor(env: Env, order: Order): Letter {
  const { name: customer, email: recipient, lang } = order.partner_id;
  const { say } = customerWords(env, order);
  const { name: number, company_id: company } = order;
  const amount = formatAmount(order.amount_total, order.currency_id, lang);
  const until = formatDate(order.validity_date, lang);
  const body = [
    say(text('Dear {customer},', { customer })),
    [
      say(text('please find attached our quotation {number} over {amount}.', { number, amount })),
      ...(until === '' ? [] : [say(text('It is valid until {until}.', { until }))]),
    ].join(' '),
    say('If you have any questions, just reply to this e-mail.'),
    order.user_id?.signature?.trim() || [order.user_id?.name, company.name].filter(Boolean).join('\n'),
  ];
  const subject = say(text('Quotation {number} from {sender}', { number, sender: company.name }));
  return { recipient, subject, body: body.join('\n\n') };
}

function customerWords(env: Env, { partner_id: customer }: Order) {
  return wordsIn(env, customer.lang ?? 'en_US', 'sale');
}

function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
