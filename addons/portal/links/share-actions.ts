import { addMessage, answersTo, threadDetails } from '@addons/mail';
import {
  type ActionCall,
  dateIn,
  domain,
  type Env,
  fields,
  formatDate,
  html,
  isMailAddress,
  openPath,
  queueMail,
  serverLink,
  type Text,
  tellSecret,
  text,
  textMail,
  toParagraphs,
  UserError,
  ValidationError,
  wordsIn,
} from '@kontor/addon';
import { currentSignature } from '../pages/read-page.ts';
import { answerMail } from '../portal-texts.ts';
import {
  aboutRecord,
  customerOf,
  keepLink,
  linkPath,
  newSecret,
  portalLink,
  portalOf,
  type Subject,
  secretFormat,
  usualDays,
  withdrawLinks,
} from './make-link.ts';

const shareAsks = {
  history: fields.html({ label: 'Links', readonly: true }),
  recipient: fields.char({ label: 'For', size: 320, help: 'The address of the person who gets the link.' }),
  days: fields.integer({ label: 'Valid for (days)', min: 1, max: 365 }),
  address: fields.char({ label: 'New link', size: 500, help: 'Copy it now: only a hash is stored.' }),
  withdraw: fields.boolean({ label: 'Withdraw all links instead' }),
};
const answerAsks = { body: fields.text({ label: 'Message', required: true }) };

interface Call {
  readonly env: Env;
  readonly records: { readonly ids: readonly number[] };
}
type Answered<Asks> = Call & Pick<ActionCall<'core.partner', Asks>, 'answers'>;

/**
 * The actions of a model with a `portal`: links for customers, a preview, and answers that customers see.
 * ```ts
 * actions: { ...portalActions('sale.order') }
 * ```
 */
export function portalActions(model: string) {
  const single = 'Choose one record.';
  const chosen = ({ records }: Call): Subject => ({ model, id: records.ids[0] ?? 0 });
  return {
    share: {
      ...{ label: 'Customer link', icon: 'link', single, asks: shareAsks },
      needs: 'read',
      proposes: async (call: Call) => ({ value: await proposeLink(call.env, chosen(call)) }),
      run: (call: Answered<typeof shareAsks>) => share(call.env, chosen(call), call.answers),
    },
    preview: {
      ...{ label: 'Preview as the customer', icon: 'eye', single },
      needs: 'read',
      run: (call: Call) => preview(call.env, chosen(call)),
    },
    answer: {
      ...{ label: 'Answer the customer', icon: 'message-circle', single, asks: answerAsks },
      mails: 'also',
      run: (call: Answered<typeof answerAsks>) => answerCustomer(call.env, chosen(call), call.answers.body),
    },
  } as const;
}

async function proposeLink(env: Env, subject: Subject) {
  const address = await serverLink(env, linkPath(newSecret()));
  const { email: recipient } = await customerOf(env, subject);
  return { history: await historyOf(env, subject), recipient, days: usualDays, address };
}

/** Who got a link, until when it is valid, who made it, who looked when, and who signed. As the server: links have no rights. */
async function historyOf(env: Env, subject: Subject): Promise<string> {
  const { say } = wordsIn(env, env.actor.lang, 'portal');
  const day = (instant: string) => formatDate(dateIn(env.actor.tz, instant), env.actor.lang);
  const links = await env
    .sudo()
    .model('portal.link')
    .searchRead(
      [...aboutRecord(subject), ['kind', '=', 'document']],
      ['recipient', 'create_uid.name', 'expires_at', 'revoked_at', 'last_used_at'],
      { limit: 20 },
    );
  const rows = links.map((link) => {
    const parts = [
      link.recipient,
      link.revoked_at
        ? say(text('withdrawn on {date}', { date: day(link.revoked_at) }))
        : say(text('valid until {date}', { date: day(link.expires_at) })),
      link['create_uid.name'] && say(text('from {name}', { name: link['create_uid.name'] })),
      link.last_used_at ? say(text('last opened on {date}', { date: day(link.last_used_at) })) : say('not opened'),
    ];
    return html`<li>${parts.filter(Boolean).join(', ')}</li>`;
  });
  const signature = portalOf(env, subject.model).accept ? await currentSignature(env, subject) : null;
  const signed =
    signature && text('Signed by {name} on {date}.', { name: signature.name, date: day(signature.signed_at) });
  const list = rows.length > 0 ? html`<ul>${rows}</ul>` : html`<p>${say('There is no link yet.')}</p>`;
  return html`${signed && html`<p>${say(signed)}</p>`}${list}`.markup;
}

async function share(env: Env, subject: Subject, answers: Answered<typeof shareAsks>['answers']): Promise<void> {
  if (answers.withdraw) return withdraw(env, subject);
  const secret = answers.address?.split('/').at(-1) ?? '';
  if (!new RegExp(secretFormat).test(secret)) throw new ValidationError({ address: ['Use the proposed link.'] });
  const { recipient, days } = answers;
  if (!recipient || !isMailAddress(recipient))
    throw new ValidationError({ recipient: ['Enter a valid e-mail address.'] });
  tellSecret(env);
  const minutes = (days ?? usualDays) * 24 * 60;
  await keepLink(env, subject, { kind: 'document', secret, recipient, minutes });
  await tell(env, subject, text('Link for {recipient}', { recipient }));
}

async function withdraw(env: Env, subject: Subject): Promise<void> {
  if (!(await withdrawLinks(env, domain('portal.link', aboutRecord(subject)))))
    throw new UserError('There is no link to withdraw.');
  await tell(env, subject, text('All links for customers were withdrawn.'));
}

async function preview(env: Env, subject: Subject) {
  const secret = newSecret();
  tellSecret(env);
  const { email } = await customerOf(env, subject);
  await keepLink(env, subject, { kind: 'preview', secret, recipient: email ?? '-' });
  return openPath(`/web${linkPath(secret)}`);
}

/** A message that the customer reads on their page, and gets by mail. */
async function answerCustomer(env: Env, subject: Subject, message: string): Promise<void> {
  const { email: to, lang } = await customerOf(env, subject);
  const details = await threadDetails(env, subject);
  const { name, companyId } = details;
  const answers = await answersTo(env, details);
  await addMessage(env, details, 'comment', toParagraphs(message), { mail: answers.key, isShared: true });
  if (to === null) return;
  const href = await portalLink(env, subject, to);
  const mail = { to, lang, companyId, isFramed: true, href, values: { name, message } };
  await queueMail(env, { ...(await textMail(env, answerMail, mail)), ...answers });
}

async function tell(env: Env, subject: Subject, words: Text): Promise<void> {
  const { say } = wordsIn(env, env.actor.lang, 'portal');
  await addMessage(env, await threadDetails(env, subject), 'system', toParagraphs(say(words)));
}
