import { hash } from 'node:crypto';
import {
  type ActionCall,
  canMail,
  type Env,
  fields,
  mailSetupLink,
  text,
  toHtml,
  UserError,
  wordsIn,
} from '@kontor/addon';
import {
  checkRecipient,
  type Letter,
  letterAsks,
  letterOf,
  queueLetter,
  tellSent,
  withWritten,
} from '../document/letter.ts';
import { type DrawnQuotation, drawQuotation } from '../quotation/draw-quotation.ts';
import { loadQuotation, pdfName } from '../quotation/load-quotation.ts';
import { confirmationMail, type LetterOrder, letterPaths, letterValues, quotationMail } from './letter-texts.ts';
import { contentOf, versionName, versionOf } from './sent-versions.ts';

const asks = { ...letterAsks('sale.order'), file_name: fields.char({ label: 'Attached', readonly: true }) };
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
async function proposeLetter({
  env,
  records,
  answers,
}: Pick<Call, 'env' | 'records'> & { answers: Partial<Call['answers']> }) {
  const [order, ...others] = await records.load(...letterPaths);
  if (order === undefined || others.length > 0) return {};
  const { number } = await versionOf(env, await loadQuotation(env, order.id));
  const notice = (await canMail(env)) ? {} : { notice: noMailNotice(env) };
  const { recipient, subject, body } = await letterFor(env, order, answers.template_id ?? null);
  return {
    value: { recipient, subject, body, file_name: versionName(pdfName(order.name), number), ...notice },
  };
}

/** Said before somebody writes a letter that cannot be sent. */
function noMailNotice(env: Env): string {
  const { say } = wordsIn(env, env.actor.lang, 'sale');
  const setUp = mailSetupLink(env);
  return setUp === ''
    ? `<p>${say('No mail server is set up, so nothing can be sent. Ask an administrator, or print the quotation and mark it as sent.')}</p>`
    : `<p>${say('No mail server is set up, so nothing can be sent. You can print the quotation and mark it as sent.')} ${setUp}</p>`;
}

async function sendQuotations({ env, records, answers }: Call): Promise<void> {
  checkRecipient(answers);
  const isQueued = await mailQuotations(env, records.ids, answers);
  // A given recipient means that a mail is wanted; without one, and if mail is not set up, the order is sent by other
  // means.
  if (!isQueued && answers.recipient !== null) {
    throw new UserError('No mail server is set up. Print the quotation, and mark it as sent.');
  }
}

/** Those without an address are left out, unless a custom letter was written. False if mail is not set up. */
async function mailQuotations(env: Env, ids: readonly number[], answers: Call['answers']): Promise<boolean> {
  let isQueued = false;
  for (const order of await env.model('sale.order').load(ids, [...letterPaths])) {
    const { recipient, ...said } = withWritten(await letterFor(env, order, answers.template_id), answers);
    if (!recipient) {
      // A custom letter must be delivered.
      if (answers.subject || answers.body) {
        throw new UserError(
          text('Enter a recipient for {name}: the customer has no e-mail address.', { name: order.name }),
        );
      }
      continue;
    }
    const drawn = await drawQuotation(env, order.id);
    const letter = { ...said, recipient };
    const thread = { model: 'sale.order', id: order.id, name: order.name, companyId: order.company_id.id };
    const key = await queueLetter(env, thread, { letter, file: drawn, sender: order.user_id?.email ?? null });
    if (key === null) return false;
    isQueued = true;
    const path = `/web/sale/sent/${await keepSent(env, drawn, letter)}.pdf`;
    const changes = drawn.version.changes
      .split('\n')
      .filter(Boolean)
      .map((change) => `<li>${toHtml(change)}</li>`);
    const more = changes.length === 0 ? '' : `<ul>${changes.join('')}</ul>`;
    await tellSent(env, thread, letter, { name: drawn.name, path, key, more });
  }
  return isQueued;
}

/** As the server: what was sent is kept as it was, and nobody writes it by hand. */
async function keepSent(
  env: Env,
  { order, version, name, pdf }: DrawnQuotation,
  { recipient, subject, body }: Sent,
): Promise<number> {
  const server = env.sudo();
  const id = await server.model('sale.order.sent').create({
    ...{ recipient, subject, body },
    order_id: order.id,
    version: version.number,
    kind: order.state === 'sale' ? 'confirmation' : 'quotation',
    amount_total: order.amount_total,
    currency_id: order.currency_id?.id ?? null,
    changes: version.changes || null,
    content: contentOf(order),
    name,
    data: pdf.toString('base64'),
    sha256: hash('sha256', pdf),
  });
  await server.model('sale.order').write([order.id], { last_sent_id: id });
  return id;
}

type Sent = Letter & { readonly recipient: string };

/** A template, otherwise the text of a quotation or confirmation, in the customer's language. */
function letterFor(env: Env, order: LetterOrder, template: number | null): Promise<Letter> {
  const { email: recipient, lang } = order.partner_id;
  const definition = order.state === 'sale' ? confirmationMail : quotationMail;
  const about = { model: 'sale.order', id: order.id, companyId: order.company_id.id, recipient, lang };
  return letterOf(env, about, definition, letterValues(order), template);
}
