import { type Queryable, sql } from '@kontor/database';
import { afterCommit, type Config, hasMail, wordsIn, workState } from '@kontor/kernel';
import { type CallsOf, defineModel, defineText, type Env, type FieldsOf, fields, open } from '@kontor/orm/author';
import { text, UserError } from '@kontor/protocol';
import { isMailAddress, type MailSettings, sendMail } from './send-mail.ts';
import { dkimKeyOf } from './sender-of.ts';
import { textMail } from './text-mail.ts';

const serverFields = {
  host: fields.char({ label: 'Server', required: true, size: 253, help: 'Such as smtp.example.com.' }),
  port: fields.integer({ required: true, default: 587, min: 1, max: 65_535, aggregate: 'none' }),
  tls: fields.selection(
    { starttls: 'STARTTLS', tls: 'TLS from the start', none: 'None' },
    { label: 'Encryption', required: true, default: 'starttls' },
  ),
  username: fields.char({ label: 'Login', size: 320, help: 'Leave empty if the server requires none.' }),
  password: fields.char({ secret: true, copy: false, size: 500 }),
  new_password: fields.char({
    ...{ label: 'Password', size: 500, copy: false },
    help: 'Stored for the server only and never shown again. It is forgotten with another server, port or encryption.',
  }),
  has_password: fields.boolean({ label: 'Password is kept', readonly: true, copy: false }),
  sender: fields.char({ required: true, size: 320, help: 'Such as Kontor <kontor@example.com>.' }),
  tested_at: fields.datetime({ label: 'Last successful test', readonly: true, copy: false }),
  active: fields.boolean({ default: true }),
};
export interface SysMailServer extends FieldsOf<typeof serverFields> {}
export interface SysMailServerCalls extends CallsOf<typeof sysMailServer> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.mail.server': SysMailServer;
  }
  interface Calls {
    'sys.mail.server': SysMailServerCalls;
  }
}

export const sysMailServer = defineModel('sys.mail.server', {
  label: 'Mail server',
  noCompany: 'Mail goes out for all companies together.',
  closedToAgents: true,
  order: 'id',
  displayName: '{host}',
  fields: serverFields,
  constraints: {
    plain_host: {
      on: ['host'],
      holds: (server) => /^[\w.:-]+$/.test(server.host),
      message: 'Enter a server name such as smtp.example.com.',
    },
    one_sender: {
      on: ['sender'],
      holds: (server) => isMailAddress(/<([^<>]*)>$/.exec(server.sender)?.[1] ?? server.sender),
      message: 'Enter one address, optionally with a name: Kontor <kontor@example.com>.',
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
  },
  hooks: {
    beforeCreate: async ({ values }) => values.map((row) => keepPassword(row)),
    beforeWrite: async ({ values }) => keepPassword(values),
  },
  actions: {
    test: {
      label: 'Send me a test',
      groups: ['base.group_system'],
      run: async ({ env, records }) => {
        for (const id of records.ids) await sendTest(env, id);
      },
    },
  },
});

/** The input is moved to the secret field, which cannot be read. */
function keepPassword<Values extends { readonly new_password?: string | null }>(values: Values) {
  if (!values.new_password) return values;
  return { ...values, password: values.new_password, new_password: null, has_password: true };
}

interface ServerRow {
  readonly host: string;
  readonly port: number;
  readonly tls: Config['smtpTls'];
  readonly username: string | null;
  readonly password: string | null;
  readonly sender: string;
}

/**
 * The server for outgoing mail: as configured, otherwise the first that administrators set up; null if there is none.
 */
export async function mailSettings(db: Queryable, config: Config): Promise<MailSettings | null> {
  if (hasMail(config)) return config;
  const [row] = await db.query<ServerRow>(sql`
    select host, port, tls, username, password, sender from sys_mail_server where active order by id limit 1`);
  return row ? toSettings(row) : null;
}

function toSettings({ host, port, tls, username, password, sender }: ServerRow): MailSettings {
  return {
    ...{ smtpHost: host, smtpPort: port, smtpTls: tls, smtpFrom: sender },
    ...{ smtpUser: username ?? '', smtpPassword: password ?? '' },
  };
}

export const testText = defineText('base.mail_test', {
  label: 'Test of a mail server',
  subject: 'E-mail from Kontor works',
  body: ['Hello {name},', 'this is the test e-mail you requested.'],
  values: { name: { label: 'Name', sample: 'Ingrid Solberg' } },
});

/**
 * Sent directly and not through the queue, so that the administrator sees the server's answer; after the commit,
 * because it takes time.
 */
async function sendTest(env: Env, id: number): Promise<void> {
  const [me] = await env.sudo().model('core.user').read([env.uid], ['name', 'email', 'lang', 'company_id']);
  if (!me?.email || !isMailAddress(me.email))
    throw new UserError('You have no e-mail address. Add one to your profile.');
  const [row] = await env.db.query<ServerRow>(sql`
    select host, port, tls, username, password, sender from sys_mail_server where id = ${id}`);
  if (!row) return;
  const mail = await textMail(env, testText, {
    ...{ to: me.email, lang: me.lang, companyId: me.company_id, values: { name: me.name } },
  });
  const dkim = await dkimKeyOf(env.db, row.sender);
  afterCommit(env, async (transact) => {
    try {
      await sendMail(toSettings(row), dkim ? { ...mail, dkim } : mail);
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300);
      throw new UserError(text('The mail server rejected the test: {reason}', { reason }));
    }
    await transact((later) =>
      later.sudo().model('sys.mail.server').write([id], { tested_at: later.now.toISOString() }),
    );
  });
}

/**
 * Whether mail is set up; without it nothing is queued.
 * ```ts
 * export const mailNotice = async (env: Env) => ((await canMail(env)) ? null : 'No mail server is set up.');
 * ```
 */
export async function canMail({ db, work }: Pick<Env, 'db' | 'work'>): Promise<boolean> {
  const state = workState(work);
  return state !== null && (await mailSettings(db, state.config)) !== null;
}

/**
 * The way to the screen that sets up mail, as HTML, for those who may: the answer to why nothing can be sent. Empty for others.
 * ```ts
 * export const noMail = (env: Env) => `<p>No mail server is set up. ${mailSetupLink(env)}</p>`;
 * ```
 */
export function mailSetupLink(env: Env): string {
  if (!env.actor.groups.has('base.group_system')) return '';
  const { say } = wordsIn(env, env.actor.lang);
  const { redirect } = open('sys.mail.server', { action: 'base.mail_servers', view: 'form' });
  return `<a href="${redirect.replaceAll('&', '&amp;')}">${say('Set up a mail server')}</a>`;
}
