import { addMessage, answersTo, threadDetails } from '@addons/mail';
import {
  anyModel,
  checkRight,
  companyFrame,
  composeMail,
  dateIn,
  type Env,
  fields,
  formatDate,
  isMailAddress,
  openPath,
  queueMail,
  renderText,
  serverLink,
  tellSecret,
  text,
  UserError,
  ValidationError,
  wordsIn,
} from '@kontor/addon';
import { currentSignature } from '../pages/read-page.ts';
import { answerMail } from '../portal-texts.ts';
import { keepLink, linkPath, newSecret, portalLink, portalOf, type Subject, secretFormat } from './make-link.ts';

const shareAsks = {
  history: fields.html({ label: 'Links', readonly: true }),
  recipient: fields.char({ label: 'For', size: 320, help: 'The address of the person who gets the link.' }),
  days: fields.integer({ label: 'Valid for (days)', min: 1, max: 365 }),
  address: fields.char({ label: 'New link', size: 500, help: 'Copy it now: only a hash is stored.' }),
  withdraw: fields.boolean({ label: 'Withdraw all links instead' }),
};
const answerAsks = { body: fields.text({ label: 'Message', required: true }) };

interface Call<Answers> {
  readonly env: Env;
  readonly records: { readonly ids: readonly number[] };
  readonly answers: Answers;
}
interface ShareAnswers {
  readonly recipient: string | null;
  readonly days: number | null;
  readonly address: string | null;
  readonly withdraw: boolean;
}

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
      proposes: async ({ env, records }: Pick<Call<ShareAnswers>, 'env' | 'records'>) => ({
        value: await proposeLink(env, subjectOf(records)),
      }),
      run: ({ env, records, answers }: Call<ShareAnswers>) => share(env, subjectOf(records), answers),
    },
    preview: {
      ...{ label: 'Preview as the customer', icon: 'eye', single },
      needs: 'read',
      run: ({ env, records }: Pick<Call<never>, 'env' | 'records'>) => preview(env, subjectOf(records)),
    },
    answer: {
      ...{ label: 'Answer the customer', icon: 'message-circle', single, asks: answerAsks },
      mails: 'also',
      run: ({ env, records, answers }: Call<{ readonly body: string }>) =>
        answerCustomer(env, subjectOf(records), answers.body),
    },
  } as const;
}

async function proposeLink(env: Env, subject: Subject) {
  const address = await serverLink(env, linkPath(newSecret()));
  return { history: await historyOf(env, subject), recipient: await mailOf(env, subject), days: 90, address };
}

/** Who got a link, until when it is valid, who made it, who looked when, and who signed. As the server: links have no rights. */
async function historyOf(env: Env, subject: Subject): Promise<string> {
  await checkRight(env, subject.model, [subject.id], 'read');
  const { say } = wordsIn(env, env.actor.lang, 'portal');
  const day = (instant: string | null) => instant && formatDate(dateIn(env.actor.tz, instant), env.actor.lang);
  const links = await env
    .sudo()
    .model('portal.link')
    .searchRead(
      [
        ['model', '=', subject.model],
        ['res_id', '=', subject.id],
        ['kind', '=', 'document'],
      ],
      ['recipient', 'create_uid.name', 'expires_at', 'revoked_at', 'last_used_at'],
      { limit: 20 },
    );
  const rows = links.map((link) => {
    const parts = [
      link.recipient,
      link.revoked_at
        ? say(text('withdrawn on {date}', { date: day(link.revoked_at) ?? '' }))
        : say(text('valid until {date}', { date: day(link.expires_at) ?? '' })),
      link['create_uid.name'] && say(text('from {name}', { name: link['create_uid.name'] })),
      link.last_used_at
        ? say(text('last opened on {date}', { date: day(link.last_used_at) ?? '' }))
        : say('not opened'),
    ];
    return `<li>${toHtml(parts.filter(Boolean).join(', '))}</li>`;
  });
  const signature = portalOf(env, subject.model).accept ? await currentSignature(env, subject) : null;
  const signed = signature
    ? `<p>${toHtml(say(text('Signed by {name} on {date}.', { name: signature.name, date: day(signature.signed_at) ?? '' })))}</p>`
    : '';
  return `${signed}${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : `<p>${say('There is no link yet.')}</p>`}`;
}

async function share(env: Env, subject: Subject, answers: ShareAnswers): Promise<void> {
  await checkRight(env, subject.model, [subject.id], 'read');
  if (answers.withdraw) return withdraw(env, subject);
  const secret = answers.address?.split('/').at(-1) ?? '';
  if (!new RegExp(secretFormat).test(secret)) throw new ValidationError({ address: ['Use the proposed link.'] });
  if (!answers.recipient || !isMailAddress(answers.recipient))
    throw new ValidationError({ recipient: ['Enter a valid e-mail address.'] });
  tellSecret(env);
  const { recipient, days } = answers;
  await keepLink(env, subject, { secret, recipient, kind: 'document', validDays: days ?? 90 });
  await tell(env, subject, text('Link for {recipient}', { recipient }));
}

/** As the server: links have no rights of their own; the caller may read the record, as checked before. */
async function withdraw(env: Env, { model, id }: Subject): Promise<void> {
  const links = env.sudo().model('portal.link');
  const open = await links.search([
    ['model', '=', model],
    ['res_id', '=', id],
    ['revoked_at', '=', null],
  ]);
  if (open.length === 0) throw new UserError('There is no link to withdraw.');
  await links.write(open, { revoked_at: env.now.toISOString() });
  await tell(env, { model, id }, text('All links for customers were withdrawn.'));
}

async function preview(env: Env, subject: Subject) {
  await checkRight(env, subject.model, [subject.id], 'read');
  const secret = newSecret();
  tellSecret(env);
  const recipient = (await mailOf(env, subject)) ?? '-';
  await keepLink(env, subject, { secret, recipient, kind: 'preview', validDays: 1 / 48 });
  return openPath(`/web${linkPath(secret)}`);
}

/** A message that the customer reads on their page, and gets by mail. */
async function answerCustomer(env: Env, subject: Subject, body: string): Promise<void> {
  const recipient = await mailOf(env, subject);
  const details = await threadDetails(env, subject);
  const html = body.split(/\n{2,}/).map((part) => `<p>${toHtml(part).replaceAll('\n', '<br>')}</p>`);
  const answers = await answersTo(env, details);
  const id = await addMessage(env, details, 'comment', html.join(''), { mail: answers.key });
  // As the server: messages cannot be written as records; the caller wrote this one, and may change the record.
  await env.sudo().model('mail.message').write([id], { is_shared: true });
  if (recipient === null) return;
  const href = await portalLink(env, subject, recipient);
  const { name, companyId } = details;
  const reader = { lang: await langOf(env, subject), companyId };
  const { button, ...said } = await renderText(env, answerMail, reader, { name, message: body });
  const frame = await companyFrame(env, companyId, reader.lang);
  const mail = composeMail({ ...said, to: recipient, button: href ? { label: button, href } : null, frame });
  await queueMail(env, { ...mail, ...answers });
}

async function tell(env: Env, subject: Subject, words: ReturnType<typeof text>): Promise<void> {
  const { say } = wordsIn(env, env.actor.lang, 'portal');
  await addMessage(env, await threadDetails(env, subject), 'system', `<p>${toHtml(say(words))}</p>`);
}

/** As the server: whoever may read the record may know where its customer is written to. */
async function customerOf(env: Env, { model, id }: Subject) {
  const { customer } = portalOf(env, model);
  const paths = [`${customer}.email`, `${customer}.lang`];
  const [record] = await anyModel(env.sudo(), model).read([id], paths);
  return { email: record?.[`${customer}.email`] ?? null, lang: record?.[`${customer}.lang`] ?? 'en_US' };
}

const mailOf = async (env: Env, subject: Subject) => (await customerOf(env, subject)).email as string | null;
const langOf = async (env: Env, subject: Subject) => String((await customerOf(env, subject)).lang);

function toHtml(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
