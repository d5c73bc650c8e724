import { randomBytes, X509Certificate } from 'node:crypto';
import {
  type CallsOf,
  currentCompany,
  defineModel,
  type Env,
  type FieldsOf,
  fields,
  fromLocal,
  isMailAddress,
} from '@kontor/addon';
import { keyAsks, proposeKey, saveKey } from '../incoming/door-key.ts';
import { testMailboxes } from '../incoming/imap/test-mailbox.ts';

const administrators = ['base.group_system'];
const own = { readonly: true, copy: false } as const;

const mailboxFields = {
  name: fields.char({ required: true, size: 100 }),
  address: fields.char({
    ...{ label: 'E-mail address', required: true, size: 200, format: 'email' },
    help: 'E-mails to this address, and to aliases at the same domain, arrive here.',
    clean: (given) => given.trim().toLowerCase(),
  }),
  alias: fields.char({
    size: 40,
    help: 'The alias for e-mails that name none, such as sales: each creates a lead. If empty, a person files them.',
  }),
  takes_replies: fields.boolean({
    label: 'Receives replies',
    default: true,
    help: 'Answers to e-mails about records come back to this address and are filed on their record.',
  }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  user_id: fields.many2one('core.user', { label: 'Responsible', ondelete: 'set null' }),
  member_ids: fields.many2many('core.user', {
    label: 'Used by',
    help: 'The team or person whose mailbox it is: only they see its unsorted e-mail. If empty, everybody in the company.',
  }),
  kind: fields.selection(
    { http: 'HTTP', imap: 'IMAP' },
    {
      ...{ label: 'Way in', required: true, default: 'http' },
      help: 'HTTP: a provider posts each e-mail. IMAP: e-mails are fetched from a mail server, where they stay.',
    },
  ),
  host: fields.char({ label: 'Server', size: 253, groups: administrators, help: 'Such as imap.example.com.' }),
  port: fields.integer({
    required: true,
    default: 993,
    min: 1,
    max: 65_535,
    aggregate: 'none',
    groups: administrators,
  }),
  tls: fields.selection(
    { tls: 'TLS from the start', starttls: 'STARTTLS', none: 'None' },
    { label: 'Encryption', required: true, default: 'tls', groups: administrators },
  ),
  username: fields.char({ label: 'Login', size: 320, groups: administrators }),
  password: fields.char({ secret: true, copy: false, size: 500 }),
  new_password: fields.char({
    ...{ label: 'Password', size: 500, copy: false, groups: administrators },
    help: 'Stored for the server only and never shown again. It is forgotten with another server, port or encryption.',
  }),
  has_password: fields.boolean({ label: 'Password is kept', ...own }),
  certificate: fields.text({
    ...{ label: 'Trusted certificate', groups: administrators },
    help: 'Of a server with a certificate of its own, as PEM. Only this one is then trusted.',
  }),
  auth: fields.selection(
    { password: 'Password', oauth: 'OAuth 2' },
    { label: 'Signs in with', required: true, default: 'password', groups: administrators },
  ),
  token_url: fields.char({
    ...{ label: 'Token address', size: 500, groups: administrators },
    help: 'Of the provider, such as https://oauth2.googleapis.com/token.',
  }),
  client_id: fields.char({ label: 'Client ID', size: 500, groups: administrators }),
  client_secret: fields.char({ secret: true, copy: false, size: 2_000 }),
  new_client_secret: fields.char({
    ...{ label: 'Client secret', size: 2_000, copy: false, groups: administrators },
    help: 'Leave empty if the provider gave none. It is never shown again.',
  }),
  refresh_token: fields.text({ secret: true, copy: false }),
  new_refresh_token: fields.text({
    ...{ label: 'Refresh token', copy: false, groups: administrators },
    help: 'Stored for the server only and never shown again. It is forgotten with another token address or client.',
  }),
  has_refresh_token: fields.boolean({ label: 'Refresh token is kept', ...own }),
  folder: fields.char({ required: true, size: 200, default: 'INBOX' }),
  starts: fields.selection(
    { now: 'From now on', day: 'From a day on', history: 'Everything, older ones as history' },
    {
      ...{ label: 'E-mails to take', required: true, default: 'now', groups: administrators },
      help: 'History is filed on the record that it answers or on its contact. It creates nothing, is not unread and keeps its dates.',
    },
  ),
  start_day: fields.date({ label: 'First day', groups: administrators }),
  start_at: fields.datetime({ ...own, help: 'What arrived before is history or stays in the mailbox.' }),
  position: fields.char({ size: 40, ...own, help: 'How far the folder was fetched: its UIDVALIDITY and a UID.' }),
  left_count: fields.integer({ label: 'Still to fetch', required: true, default: 0, ...own }),
  failures: fields.integer({ required: true, default: 0, ...own }),
  last_error: fields.text(own),
  failed_at: fields.datetime({ label: 'Failed', ...own }),
  next_try: fields.datetime(own),
  locked_by: fields.char({ size: 64, ...own }),
  locked_until: fields.datetime(own),
  tested_at: fields.datetime({ label: 'Last test', ...own }),
  test_result: fields.text({ label: 'Result of the test', ...own }),
  key_hash: fields.char({ secret: true, copy: false, size: 64 }),
  key_since: fields.datetime({ label: 'Key created', ...own }),
  reply_secret: fields.char({ secret: true, copy: false, size: 64 }),
  received_at: fields.datetime({ label: 'Last e-mail', ...own }),
  active: fields.boolean({ default: true }),
};
export interface MailMailbox extends FieldsOf<typeof mailboxFields> {}
export interface MailMailboxCalls extends CallsOf<typeof mailMailbox> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.mailbox': MailMailbox;
  }
  interface Calls {
    'mail.mailbox': MailMailboxCalls;
  }
}

/** Where e-mail comes in. */
export const mailMailbox = defineModel('mail.mailbox', {
  label: 'Mailbox',
  closedToAgents: true,
  order: 'name, id',
  fields: mailboxFields,
  uniques: { address: { fields: ['address'], message: 'There is a mailbox with this address already.' } },
  constraints: {
    one_address: {
      on: ['address'],
      holds: ({ address }) => isMailAddress(address) && !/^[^@]*\+/.test(address),
      message: 'Enter one address without a plus sign, such as office@example.com.',
    },
    readable_certificate: {
      on: ['certificate'],
      holds: ({ certificate }) => certificate === null || isCertificate(certificate),
      message: 'Paste the certificate with its lines BEGIN CERTIFICATE and END CERTIFICATE.',
    },
    token_address: {
      on: ['token_url', 'auth'],
      holds: ({ token_url: url, auth }) => auth !== 'oauth' || isTokenAddress(url ?? ''),
      message: 'Enter the token address of the provider, which begins with https://.',
      field: 'token_url',
    },
    first_day: {
      on: ['starts', 'start_day'],
      holds: ({ starts, start_day: day }) => starts !== 'day' || day !== null,
      message: 'Enter the first day.',
      field: 'start_day',
    },
    plain_host: {
      on: ['host', 'kind'],
      holds: ({ host, kind }) => kind !== 'imap' || /^[\w.:-]+$/.test(host ?? ''),
      message: 'Enter a server name such as imap.example.com.',
    },
  },
  normalise: {
    /** A password is sent only to the server that it was entered for, not to one that somebody names later, and not in the clear. */
    another_server: {
      on: ['host', 'port', 'tls'],
      reads: ['new_password'],
      value: (now, { before }) =>
        before && !now.new_password && (['host', 'port', 'tls'] as const).some((name) => now[name] !== before[name])
          ? { password: null, has_password: false }
          : undefined,
    },
    /** The same for the secrets of a provider. */
    another_provider: {
      on: ['token_url', 'client_id'],
      reads: ['new_refresh_token', 'new_client_secret'],
      value: (now, { before }) =>
        before && (now.token_url !== before.token_url || now.client_id !== before.client_id)
          ? {
              ...(now.new_refresh_token ? {} : { refresh_token: null, has_refresh_token: false }),
              ...(now.new_client_secret ? {} : { client_secret: null }),
            }
          : undefined,
    },
  },
  hooks: {
    beforeCreate: async ({ env, values }) =>
      values.map((row) => ({
        ...keepPassword(row),
        ...{ reply_secret: randomBytes(32).toString('hex'), start_at: startOf(env, row) },
      })),
    beforeWrite: async ({ env, ids, values }) => restarted(await withStart(env, ids, keepPassword(values))),
  },
  actions: {
    /** Signs in and says what it sees. */
    test: { label: 'Test', icon: 'check', groups: administrators, run: testMailboxes },
    /** A new key for the HTTP door; the previous one ends. */
    new_key: {
      label: 'New key',
      icon: 'key',
      single: 'Choose one mailbox.',
      groups: administrators,
      asks: keyAsks,
      proposes: proposeKey,
      run: saveKey,
    },
  },
});

interface Entered {
  readonly new_password?: string | null;
  readonly new_client_secret?: string | null;
  readonly new_refresh_token?: string | null;
}

/** Inputs are moved to the secret fields, which cannot be read. */
function keepPassword<Values extends Entered>(values: Values) {
  const { new_password: password, new_client_secret: secret, new_refresh_token: token } = values;
  return {
    ...values,
    ...(password ? { password, new_password: null, has_password: true } : {}),
    ...(secret ? { client_secret: secret, new_client_secret: null } : {}),
    ...(token ? { refresh_token: token.trim(), new_refresh_token: null, has_refresh_token: true } : {}),
  };
}

function isCertificate(pem: string): boolean {
  try {
    return pem.length <= 20_000 && new X509Certificate(pem).subject !== '';
  } catch {
    return false;
  }
}

/** Tokens are not sent in the clear. */
function isTokenAddress(url: string): boolean {
  return /^https:\/\/[^\s/@]+(?:\/\S*)?$/.test(url) || /^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?\//.test(url);
}

const connecting = [
  ...(['kind', 'host', 'port', 'tls', 'username', 'password', 'folder', 'active'] as const),
  ...(['starts', 'start_day'] as const),
  ...(['certificate', 'auth', 'token_url', 'client_id', 'new_client_secret', 'new_refresh_token'] as const),
];
const placing = ['host', 'username', 'folder', 'starts', 'start_day'] as const;

interface Start {
  readonly starts?: 'now' | 'day' | 'history' | null;
  readonly start_day?: string | null;
}

/** The first moment of the day in the time zone of who chose it; otherwise now. */
function startOf({ now, actor }: Pick<Env, 'now' | 'actor'>, { starts, start_day: day }: Start): string {
  if (starts !== 'day' || !day) return now.toISOString();
  return new Date(fromLocal(Date.parse(`${day}T00:00:00Z`), actor.tz)).toISOString();
}

/** As the server: another choice begins now. What the mailbox has received stays known. */
async function withStart<Values extends Start>(env: Env, ids: readonly number[], values: Values) {
  if (values.starts === undefined && values.start_day === undefined) return values;
  const [before] = await env
    .sudo()
    .model('mail.mailbox')
    .read([...ids], ['starts', 'start_day']);
  return { ...values, start_at: startOf(env, { ...before, ...values }) };
}

/** With other settings the connection is opened anew, and another folder is fetched from its beginning. */
function restarted<Values extends object>(values: Values) {
  if (!connecting.some((name) => name in values)) return values;
  const again = { locked_by: null, locked_until: null, next_try: null, failures: 0, last_error: null };
  return { ...values, ...again, ...(placing.some((name) => name in values) ? { position: null, left_count: 0 } : {}) };
}
