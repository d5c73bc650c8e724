import { hash } from 'node:crypto';
import { addMessage, answersTo, fillTemplate, outsideMail } from '@addons/mail';
import { portalLink } from '@addons/portal';
import {
  type ActionCall,
  canMail,
  type Env,
  fields,
  isMailAddress,
  mailSetupLink,
  queueMail,
  renderText,
  text,
  toHtml,
  UserError,
  ValidationError,
  wordsIn,
} from '@kontor/addon';
import { type DrawnQuotation, drawQuotation } from '../quotation/draw-quotation.ts';
import { loadQuotation, pdfName } from '../quotation/load-quotation.ts';
import { confirmationMail, type LetterOrder, letterPaths, letterValues, quotationMail } from './letter-texts.ts';
import { contentOf, versionName, versionOf } from './sent-versions.ts';

const asks = {
  notice: fields.html({ label: 'No mail server', readonly: true }),
  recipient: fields.char({ label: 'To', size: 320 }),
  template_id: fields.many2one('mail.template', {
    ...{ label: 'Template', domain: [['model', '=', 'sale.order']] },
    help: 'Instead of the usual text.',
  }),
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
async function proposeLetter({
  env,
  records,
  answers,
}: Pick<Call, 'env' | 'records'> & { answers: Partial<Call['answers']> }) {
  const [order, ...others] = await records.load(...letterPaths);
  if (order === undefined || others.length > 0) return {};
  const { number } = await versionOf(env, await loadQuotation(env, order.id));
  const notice = (await canMail(env)) ? {} : { notice: noMailNotice(env) };
  const { button: _, lang: __, ...letter } = await letterFor(env, order, answers.template_id ?? null);
  return {
    value: { ...letter, file_name: versionName(pdfName(order.name), number), ...notice },
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
  const { recipient, subject, body, template_id: template } = answers;
  if (recipient !== null && !isMailAddress(recipient)) {
    throw new ValidationError({ recipient: ['Enter a valid e-mail address.'] });
  }
  const said = { ...(recipient && { recipient }), ...(subject && { subject }), ...(body && { body }) };
  const isQueued = await mailQuotations(env, records.ids, said, template);
  // A given recipient means that a mail is wanted; without one, and if mail is not set up, the order is sent by other
  // means.
  if (!isQueued && recipient !== null) {
    throw new UserError('No mail server is set up. Print the quotation, and mark it as sent.');
  }
}

/** Those without an address are left out, unless a custom letter was written. False if mail is not set up. */
async function mailQuotations(
  env: Env,
  ids: readonly number[],
  said: Partial<Letter>,
  template: number | null,
): Promise<boolean> {
  const orders = await env.model('sale.order').load(ids, [...letterPaths]);
  let isQueued = false;
  for (const order of orders) {
    const { recipient, subject, body, button, lang } = { ...(await letterFor(env, order, template)), ...said };
    if (!recipient) {
      // A custom letter must be delivered.
      if (said.subject || said.body) {
        throw new UserError(
          text('Enter a recipient for {name}: the customer has no e-mail address.', { name: order.name }),
        );
      }
      continue;
    }
    const drawn = await drawQuotation(env, order.id);
    const { name, pdf } = drawn;
    const thread = { model: 'sale.order', id: order.id, name: order.name, companyId: order.company_id.id };
    // Answers are filed on the order, if there is a mailbox for them.
    const answers = await answersTo(env, thread, order.user_id?.email ?? null);
    const href = await portalLink(env, thread, recipient);
    const mail = await outsideMail(env, {
      ...{ to: recipient, lang, subject, body, companyId: order.company_id.id, isSigned: false },
      button: href === null ? null : { label: button, href },
      attachments: [{ filename: name, contentType: 'application/pdf', content: pdf }],
    });
    isQueued = await queueMail(env, { ...mail, ...answers });
    if (!isQueued) return false;
    const sent = await keepSent(env, drawn, { recipient, subject, body });
    const file = `<a href="/web/sale/sent/${sent}.pdf">${toHtml(name)}</a>`;
    const changes = drawn.version.changes
      .split('\n')
      .filter(Boolean)
      .map((change) => `<li>${toHtml(change)}</li>`);
    const list = changes.length === 0 ? '' : `<ul>${changes.join('')}</ul>`;
    const told = `<p>${toHtml(recipient)} ← ${toHtml(subject)} (${file})</p>${list}`;
    await addMessage(env, thread, 'system', told, { mail: answers.key });
  }
  return isQueued;
}

/** As the server: what was sent is kept as it was, and nobody writes it by hand. */
async function keepSent(env: Env, { order, version, name, pdf }: DrawnQuotation, letter: SentLetter): Promise<number> {
  const server = env.sudo();
  const id = await server.model('sale.order.sent').create({
    ...letter,
    order_id: order.id,
    version: version.number,
    kind: order.state === 'sale' ? 'confirmation' : 'quotation',
    user_id: env.uid > 0 ? env.uid : null,
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

interface SentLetter {
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
}

interface Letter {
  readonly recipient: string | null;
  readonly subject: string;
  readonly body: string;
  /** The label of the link to the customer's page. */
  readonly button: string;
  readonly lang: string | null;
}

/** A template, otherwise the text of a quotation or confirmation, in the customer's language. */
async function letterFor(env: Env, order: LetterOrder, template: number | null): Promise<Letter> {
  const { email: recipient, lang } = order.partner_id;
  const definition = order.state === 'sale' ? confirmationMail : quotationMail;
  const reader = { lang, companyId: order.company_id.id };
  const { subject, body, button } = await renderText(env, definition, reader, letterValues(order));
  if (template === null) return { recipient, subject, body, button, lang };
  return { recipient, button, ...(await fillTemplate(env, { template, model: 'sale.order', id: order.id, lang })) };
}
