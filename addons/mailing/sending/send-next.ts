import { randomUUID } from 'node:crypto';
import { addMessage, markFor, outsideMail, replyAddress, threadDetails, withoutMarks } from '@addons/mail';
import {
  anyModel,
  canMail,
  defineQueue,
  type Env,
  fillRecordText,
  inNameOf,
  type QueueEnd,
  queueMail,
  type RecordValues,
  recordTextValues,
  renderText,
  toHtml,
} from '@kontor/addon';
import { optOutText } from '../mailing-texts.ts';
import { optOutAddress } from '../optout/links.ts';
import { addressIn, domainOf } from './audience.ts';
import { stop } from './list-recipients.ts';

/**
 * Turns recipients into mails, one at a time over all processes, so that the limit of an hour is exact. The mail is put into the queue of
 * outgoing mail in the transaction that ends the row: a crash neither loses nor doubles one.
 */
export const recipients = defineQueue<number, null>({
  name: 'recipients',
  model: 'mailing.recipient',
  due: async (env) => {
    if (!(await canMail(env))) return null;
    const [companies, mailings] = [await fullCompanies(env), await fullMailings(env)];
    return [
      ['mailing_id.state', '=', 'sending'],
      ...(companies.length === 0 ? [] : [['company_id', 'not in', companies] as const]),
      ...(mailings.length === 0 ? [] : [['mailing_id', 'not in', mailings] as const]),
    ];
  },
  room: { perProcess: 1, inAll: 1 },
  prepare: async (_env, { id }) => ({ work: id }),
  run: async () => null,
  end: (env, { id }) => sendTo(env, id),
});

/** Companies whose mailings have used up the mails of an hour. */
async function fullCompanies(env: Env): Promise<readonly number[]> {
  const sent = await sentInAnHour(env, 'company_id');
  const limits = await env.model('core.company').read([...sent.keys()], ['mailing_most_per_hour']);
  return limits.filter(({ id, mailing_most_per_hour: most }) => (sent.get(id) ?? 0) >= most).map(({ id }) => id);
}

/** The same for mailings with a rate of their own: after a pause, what was due meanwhile is not sent at once. */
async function fullMailings(env: Env): Promise<readonly number[]> {
  const sent = await sentInAnHour(env, 'mailing_id');
  const limits = await env.model('mailing.mailing').read([...sent.keys()], ['rate']);
  return limits.filter(({ id, rate }) => (sent.get(id) ?? 0) >= rate).map(({ id }) => id);
}

async function sentInAnHour(env: Env, by: 'company_id' | 'mailing_id'): Promise<ReadonlyMap<number, number>> {
  const since = new Date(env.now.getTime() - 3_600_000).toISOString();
  const rows: readonly Readonly<Record<string, unknown>>[] = await env.model('mailing.recipient').readGroup({
    domain: [['sent_at', '>', since]],
    groupby: [by],
    fields: [{ name: 'count', field: 'id', measure: 'count' }],
  });
  return new Map(rows.flatMap((row) => (typeof row[by] === 'number' ? [[row[by], Number(row.count)] as const] : [])));
}

const paths = [
  ...([
    'model',
    'res_id',
    'name',
    'address_id.id',
    'address_id.email',
    'address_id.opted_out_at',
    'address_id.bounced_at',
  ] as const),
  ...([
    'mailing_id.id',
    'mailing_id.name',
    'mailing_id.subject',
    'mailing_id.body',
    'mailing_id.lang',
    'mailing_id.domain',
  ] as const),
  ...([
    'mailing_id.model',
    'mailing_id.address_path',
    'mailing_id.sender_id.id',
    'mailing_id.company_id.id',
    'mailing_id.state',
  ] as const),
] as const;

async function sendTo(env: Env, id: number): Promise<QueueEnd> {
  const [row] = await env.model('mailing.recipient').load([id], [...paths]);
  if (row?.mailing_id.state !== 'sending') return { is: 'left' };
  const { mailing_id: mailing, address_id: address } = row;
  if (address.opted_out_at !== null) return leaveOut(env, id, mailing.id, 'opted_out');
  if (address.bounced_at !== null || (await isFailing(env, address.email)))
    return leaveOut(env, id, mailing.id, 'bounced');
  const sender = await inNameOf(env, mailing.sender_id?.id ?? 0, mailing.company_id.id);
  if (!sender) {
    await stop(env, mailing.id, 'sender');
    return { is: 'left' };
  }
  // Whoever left the audience since, or is hidden from the sender now, gets nothing.
  const path = mailing.address_path;
  const domain = [...domainOf(mailing), ['id', '=', row.res_id]] as never;
  const [found] = await anyModel(sender, row.model).searchRead(domain, [path], { limit: 1 });
  if (!found) return leaveOut(env, id, mailing.id, 'gone');
  if (addressIn(found[path]) !== address.email) return leaveOut(env, id, mailing.id, 'address');
  const mail = await mailingMail(sender, { ...mailing, resId: row.res_id, companyId: mailing.company_id.id }, address);
  const key = randomUUID();
  if (!(await queueMail(env, { ...mail, key }))) return { is: 'again', error: 'No mail server is set up.' };
  await env.model('mailing.recipient').write([id], { sent: 1, sent_at: env.now.toISOString(), mail_key: key });
  await tellRecord(
    env,
    { model: row.model, id: row.res_id },
    { name: mailing.name, subject: mail.subject, email: address.email, key },
  );
  await finish(env, mailing.id, id);
  return { is: 'done' };
}

/** An e-mail to a contact with this address came back. */
async function isFailing(env: Env, email: string): Promise<boolean> {
  const pattern = email.replaceAll(/[\\%_]/g, '\\$&');
  const found = await env.model('core.partner').count([
    ['email', '=ilike', pattern],
    ['mail_failed_at', '!=', null],
  ]);
  return found > 0;
}

async function leaveOut(
  env: Env,
  id: number,
  mailingId: number,
  reason: 'opted_out' | 'bounced' | 'gone' | 'address',
): Promise<QueueEnd> {
  await env.model('mailing.recipient').write([id], { left_out: 1, left_out_for: reason, settled: true });
  await finish(env, mailingId, id);
  return { is: 'done' };
}

/** The mailing is over with its last recipient. */
async function finish(env: Env, mailingId: number, lastId: number): Promise<void> {
  const [open] = await env.model('mailing.recipient').search(
    [
      ['mailing_id', '=', mailingId],
      ['state', 'in', ['waiting', 'running']],
      ['id', '!=', lastId],
    ],
    { limit: 1 },
  );
  if (open !== undefined) return;
  const over = await env.model('mailing.mailing').search([
    ['id', '=', mailingId],
    ['is_listed', '=', true],
  ]);
  await env.model('mailing.mailing').write(over, { state: 'done' });
}

interface MailingContent {
  readonly model: string;
  readonly subject: string;
  readonly body: string;
  readonly lang: string;
  readonly resId: number;
  readonly companyId: number;
}

/** A mailing for one recipient, with the rights of its sender. Values are put in after the text was read as Markdown. */
export async function mailingMail(
  sender: Env,
  mailing: MailingContent,
  address: { readonly id: number; readonly email: string },
) {
  const { model, subject, body, lang, resId, companyId } = mailing;
  const values =
    (await recordTextValues(sender, { model, ids: [resId], lang }, [subject, body])).get(resId) ?? new Map();
  const asMarks = marked(values);
  const thread = { model, id: resId, companyId };
  const hasChatter = sender.registry.model(model).chatter !== null;
  // As the server: the sender's own address.
  const [me] = await sender.sudo().model('core.user').read([sender.uid], ['email']);
  const replyTo = (hasChatter ? await replyAddress(sender, thread) : null) ?? me?.email ?? null;
  const href = await optOutAddress(sender, address.id);
  const said = await renderText(sender, optOutText, { lang, companyId }, { email: address.email });
  return outsideMail(sender, {
    ...{ to: address.email, lang, companyId, isSigned: false },
    subject: fillRecordText(subject, new Map([...values].map(([path, value]) => [path, value ?? '']))),
    body: fillRecordText(withoutMarks(body), asMarks.places),
    values: { texts: asMarks.texts },
    note: said.body,
    unsubscribe: href === null ? null : { label: said.button, href },
    ...(replyTo ? { replyTo } : {}),
  });
}

function marked(values: RecordValues) {
  const texts: string[] = [];
  const places = new Map<string, string | null>();
  for (const [path, value] of values) places.set(path, value === null ? null : markFor(texts.push(value) - 1));
  return { texts, places };
}

interface Told {
  readonly name: string;
  readonly subject: string;
  readonly email: string;
  readonly key: string;
}

/** Answers are filed on the record. */
async function tellRecord(
  env: Env,
  { model, id }: { model: string; id: number },
  { name, subject, email, key }: Told,
): Promise<void> {
  if (env.registry.model(model).chatter === null) return;
  const said = `<p>${toHtml(email)} ← ${toHtml(subject)} (${toHtml(name)})</p>`;
  await addMessage(env, await threadDetails(env, { model, id }), 'system', said, { mail: key });
}
