import { addMessage, answersTo, threadDetails } from '@addons/mail';
import {
  type ActionCall,
  anyModel,
  checkRight,
  companyFrame,
  composeMail,
  dateIn,
  domain,
  type Env,
  fields,
  formatDate,
  isMailAddress,
  openPath,
  queueMail,
  renderText,
  serverLink,
  type Text,
  tellSecret,
  text,
  toHtml,
  toParagraphs,
  UserError,
  ValidationError,
  wordsIn,
} from '@kontor/addon';
import { currentSignature } from '../pages/read-page.ts';
import { answerMail } from '../portal-texts.ts';
import {
  aboutRecord,
  keepDocumentLink,
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

type Asked<Asks> = Pick<ActionCall<'core.partner', Asks>, 'env' | 'answers'> & {
  readonly records: { readonly ids: readonly number[] };
};
type ShareAnswers = Asked<typeof shareAsks>['answers'];

/**
 * The actions of a model with a `portal`: links for customers, a preview, and answers that customers see.
 * ```ts
 * actions: { ...portalActions('sale.order') }
 * ```
 */
export function portalActions(model: string) {
  const single = 'Choose one record.';
  const subjectOf = ({ ids: [id = 0] }: { readonly ids: readonly number[] }): Subject => ({ model, id });
  return {
    share: {
      ...{ label: 'Customer link', icon: 'link', single, asks: shareAsks },
      needs: 'read',
      proposes: async ({ env, records }: Omit<Asked<unknown>, 'answers'>) => ({
        value: await proposeLink(env, subjectOf(records)),
      }),
      run: ({ env, records, answers }: Asked<typeof shareAsks>) => share(env, subjectOf(records), answers),
    },
    preview: {
      ...{ label: 'Preview as the customer', icon: 'eye', single },
      needs: 'read',
      run: ({ env, records }: Asked<unknown>) => preview(env, subjectOf(records)),
    },
    answer: {
      ...{ label: 'Answer the customer', icon: 'message-circle', single, asks: answerAsks },
      mails: 'also',
      run: ({ env, records, answers }: Asked<typeof answerAsks>) =>
        answerCustomer(env, subjectOf(records), answers.body),
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
  await checkRight(env, subject.model, [subject.id], 'read');
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
    return `<li>${toHtml(parts.filter(Boolean).join(', '))}</li>`;
  });
  const signature = portalOf(env, subject.model).accept ? await currentSignature(env, subject) : null;
  const signed =
    signature && text('Signed by {name} on {date}.', { name: signature.name, date: day(signature.signed_at) });
  const list = rows.length > 0 ? `<ul>${rows.join('')}</ul>` : toParagraphs(say('There is no link yet.'));
  return `${signed ? toParagraphs(say(signed)) : ''}${list}`;
}

async function share(env: Env, subject: Subject, answers: ShareAnswers): Promise<void> {
  await checkRight(env, subject.model, [subject.id], 'read');
  if (answers.withdraw) return withdraw(env, subject);
  const secret = answers.address?.split('/').at(-1) ?? '';
  if (!new RegExp(secretFormat).test(secret)) throw new ValidationError({ address: ['Use the proposed link.'] });
  const { recipient, days } = answers;
  if (!recipient || !isMailAddress(recipient))
    throw new ValidationError({ recipient: ['Enter a valid e-mail address.'] });
  tellSecret(env);
  const minutes = (days ?? usualDays) * 24 * 60;
  await keepDocumentLink(env, subject, { kind: 'document', secret, recipient, minutes });
  await tell(env, subject, text('Link for {recipient}', { recipient }));
}

/** The caller may read the record, as checked before. */
async function withdraw(env: Env, subject: Subject): Promise<void> {
  if (!(await withdrawLinks(env, domain('portal.link', aboutRecord(subject)))))
    throw new UserError('There is no link to withdraw.');
  await tell(env, subject, text('All links for customers were withdrawn.'));
}

async function preview(env: Env, subject: Subject) {
  await checkRight(env, subject.model, [subject.id], 'read');
  const secret = newSecret();
  tellSecret(env);
  const { email } = await customerOf(env, subject);
  await keepDocumentLink(env, subject, { kind: 'preview', secret, recipient: email ?? '-' });
  return openPath(`/web${linkPath(secret)}`);
}

/** A message that the customer reads on their page, and gets by mail. */
async function answerCustomer(env: Env, subject: Subject, body: string): Promise<void> {
  const { email: to, lang } = await customerOf(env, subject);
  const details = await threadDetails(env, subject);
  const { name, companyId } = details;
  const answers = await answersTo(env, details);
  const id = await addMessage(env, details, 'comment', toParagraphs(body), { mail: answers.key });
  // As the server: messages cannot be written as records; the caller wrote this one, and may change the record.
  await env.sudo().model('mail.message').write([id], { is_shared: true });
  if (to === null) return;
  const href = await portalLink(env, subject, to);
  const said = await renderText(env, answerMail, { lang, companyId }, { name, message: body });
  const frame = await companyFrame(env, companyId, lang);
  await queueMail(env, { ...composeMail({ ...said, to, href, frame }), ...answers });
}

async function tell(env: Env, subject: Subject, words: Text): Promise<void> {
  const { say } = wordsIn(env, env.actor.lang, 'portal');
  await addMessage(env, await threadDetails(env, subject), 'system', toParagraphs(say(words)));
}

/** As the server: whoever may read the record may know where its customer is written to. */
async function customerOf(env: Env, { model, id }: Subject) {
  const { customer } = portalOf(env, model);
  const [email, lang] = [`${customer}.email`, `${customer}.lang`];
  const [record] = await anyModel(env.sudo(), model).read([id], [email, lang]);
  return { email: (record?.[email] ?? null) as string | null, lang: String(record?.[lang] ?? 'en_US') };
}
