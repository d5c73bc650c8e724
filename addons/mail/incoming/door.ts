import {
  checkRight,
  fileAnswer,
  KontorError,
  parseMultipart,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
} from '@kontor/addon';
import { givenKey, isKeyOf } from './door-key.ts';
import { maxMessageBytes } from './parse-message.ts';
import { receive } from './receive.ts';

/** The names under which providers post the whole e-mail in a form: SendGrid and Mailgun. */
const rawFields = ['email', 'body-mime'];
const envelopeFields = ['recipient', 'envelope'];

export const doorRoutes: readonly RouteSpec[] = [
  {
    method: 'POST',
    path: '/mail/in/:mailbox',
    auth: 'none',
    // A form adds some kilobytes to the e-mail.
    largeBody: { bytes: maxMessageBytes + 100_000, admits: async (request) => void (await openMailbox(request)) },
    handler: takeMessage,
  },
  { method: 'GET', path: '/web/mail/incoming/:id(^[1-9][0-9]{0,8}).eml', auth: 'session', handler: sendOriginal },
];

type Opening = Pick<RouteRequest, 'env' | 'params' | 'headers'>;

/** As the server: providers are not signed in; the key of the mailbox opens it. A missing mailbox is answered like a wrong key. */
async function openMailbox({ env, params, headers }: Opening) {
  const [mailbox] = await env
    .sudo()
    .model('mail.mailbox')
    .searchRead(
      [
        ['id', '=', /^[1-9]\d{0,8}$/.test(params.mailbox ?? '') ? Number(params.mailbox) : 0],
        ['active', '=', true],
      ],
      ['key_hash', 'company_id'],
    );
  if (!isKeyOf(mailbox?.key_hash ?? null, givenKey(headers.authorization)) || !mailbox)
    throw new KontorError(
      'UNAUTHORIZED',
      'Send the key of this mailbox as a bearer token or as the password of Basic.',
    );
  return mailbox;
}

/** Takes an e-mail as `message/rfc822`, or a form with the whole e-mail in `email` or `body-mime`. */
async function takeMessage(request: RouteRequest): Promise<RouteAnswer> {
  const mailbox = await openMailbox(request);
  const { raw, envelopeTo } = messageIn(request);
  if (raw.byteLength > maxMessageBytes) throw new KontorError('PAYLOAD_TOO_LARGE', 'An e-mail has at most 25 MB.');
  if (!/^(?:from |[a-z][a-z0-9-]{0,200}[ \t]*:)/i.test(raw.toString('latin1', 0, 300)))
    throw new KontorError('VALIDATION_ERROR', 'This is not an e-mail: it does not begin with a header.');
  const { id, isNew } = await receive(request.env, { raw, mailbox, envelopeTo });
  return { status: isNew ? 202 : 200, body: { ok: true, result: { id, duplicate: !isNew }, error: null } };
}

function messageIn({ headers, body }: RouteRequest): { readonly raw: Buffer; readonly envelopeTo: string | null } {
  const type = headers['content-type'] ?? '';
  if (/^message\/rfc822\b/i.test(type) && Buffer.isBuffer(body)) return { raw: body, envelopeTo: null };
  const fields = formFields(type, body);
  const raw = rawFields.map((name) => fields.get(name)).find((value) => value !== undefined);
  if (raw === undefined)
    throw new KontorError(
      'VALIDATION_ERROR',
      'Send the e-mail as message/rfc822, or as the field email or body-mime of a form.',
    );
  const envelope = envelopeFields
    .map((name) => fields.get(name)?.toString('utf8'))
    .find((value) => value !== undefined);
  return { raw, envelopeTo: envelope === undefined ? null : recipientsIn(envelope) };
}

function formFields(type: string, body: unknown): ReadonlyMap<string, Buffer> {
  if (/^multipart\/form-data\b/i.test(type) && Buffer.isBuffer(body)) {
    const { fields, files } = parseMultipart(type, body, { raw: rawFields });
    return new Map([
      ...Object.entries(fields).map(([name, value]) => [name, Buffer.from(value)] as const),
      ...[...files].map(([name, { content }]) => [name, content] as const),
    ]);
  }
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return new Map();
  return new Map(
    Object.entries(body).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, Buffer.from(value)] as const] : [],
    ),
  );
}

/** SendGrid writes `{"to": ["a@example.com"], "from": …}`, Mailgun the address itself. */
function recipientsIn(envelope: string): string {
  const to = /^\s*\{/.test(envelope) ? recipientsOfJson(envelope) : envelope;
  return [...to.slice(0, 2_000).matchAll(/[^\s"'<>,;:[\]{}]+@[^\s"'<>,;:[\]{}]+/g)]
    .map(([address]) => address)
    .join(' ');
}

/** The sender is in it as well, who is no recipient. */
function recipientsOfJson(envelope: string): string {
  try {
    const { to } = JSON.parse(envelope.slice(0, 100_000)) as { readonly to?: unknown };
    return [to]
      .flat()
      .filter((each) => typeof each === 'string')
      .join(' ');
  } catch {
    return '';
  }
}

/** For those who may read the row; a filed e-mail has no original any more. */
async function sendOriginal({ env, params }: RouteRequest): Promise<RouteAnswer> {
  const id = Number(params.id);
  await checkRight(env, 'mail.incoming', [id], 'read');
  // As the server: the field cannot be read; the right to read the row was checked above.
  const [row] = await env.sudo().model('mail.incoming').read([id], ['raw']);
  if (!row?.raw) throw new KontorError('NOT_FOUND', 'There is no such e-mail.');
  return fileAnswer({ name: `message-${params.id}.eml`, content: Buffer.from(row.raw, 'base64') });
}
