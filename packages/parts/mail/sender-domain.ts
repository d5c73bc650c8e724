import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { afterCommit, tellSecret, wordsIn, workState } from '@kontor/kernel';
import { type ActionCall, type CallsOf, defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { UserError } from '@kontor/protocol';
import { mailSettings } from './mail-server.ts';
import { checkSender, dkimRecord, type RecordFinding, senderDns } from './sender-dns.ts';

const own = { readonly: true, copy: false } as const;
const found = (label: string) =>
  fields.selection(
    { ok: 'In order', weak: 'Could be stricter', missing: 'Missing', wrong: 'Wrong', unknown: 'No answer' },
    { label, ...own },
  );

const domainFields = {
  name: fields.char({
    ...{ label: 'Domain', required: true, unique: true, size: 200, help: 'The part of sender addresses after the @.' },
    clean: (given) => given.trim().toLowerCase().replace(/^.*@/, ''),
  }),
  selector: fields.char({
    ...{ label: 'Selector', required: true, size: 40, default: 'kontor' },
    help: 'Names the key in DNS. Change it to keep an older key published beside a new one.',
    clean: (given) => given.trim().toLowerCase(),
  }),
  private_key: fields.text({ secret: true, copy: false }),
  public_key: fields.text({ label: 'Public key', ...own }),
  key_since: fields.datetime({ label: 'Key created', ...own }),
  record_name: fields.char({ label: 'DKIM record', computed: true, size: 300 }),
  record_value: fields.text({ label: 'Value of the DKIM record', computed: true, required: false }),
  signs: fields.boolean({
    label: 'Sign e-mails',
    help: 'Once the key is published: a signature that cannot be verified is worse than none.',
  }),
  own_addresses: fields.boolean({
    label: 'People write from their own address',
    help: 'Messages to people outside come from the address of their author, if it is at this domain and an administrator entered it. Answers still arrive here.',
  }),
  spf_state: found('SPF'),
  spf_told: fields.text({ label: 'About SPF', ...own }),
  spf_record: fields.text({ label: 'SPF record to add', ...own }),
  dkim_state: found('DKIM'),
  dkim_told: fields.text({ label: 'About DKIM', ...own }),
  dmarc_state: found('DMARC'),
  dmarc_told: fields.text({ label: 'About DMARC', ...own }),
  dmarc_record: fields.text({ label: 'DMARC record to add', ...own }),
  checked_at: fields.datetime({ label: 'Checked', ...own }),
};
export interface SysMailDomain extends FieldsOf<typeof domainFields> {}
export interface SysMailDomainCalls extends CallsOf<typeof sysMailDomain> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.mail.domain': SysMailDomain;
  }
  interface Calls {
    'sys.mail.domain': SysMailDomainCalls;
  }
}

/** The domain of sender addresses: its key for DKIM, what DNS says about it, and who may write from it. */
export const sysMailDomain = defineModel('sys.mail.domain', {
  label: 'Sender domain',
  noCompany: 'Mail goes out for all companies together.',
  closedToAgents: true,
  order: 'name',
  fields: domainFields,
  computes: {
    record_name: {
      depends: ['selector', 'name'],
      value: ({ selector, name }) => `${selector ?? ''}._domainkey.${name ?? ''}`,
    },
    record_value: { depends: ['public_key'], value: ({ public_key: key }) => (key ? dkimRecord(key) : null) },
  },
  constraints: {
    plain_domain: {
      on: ['name'],
      holds: ({ name }) => /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(name),
      message: 'Enter a domain such as example.com.',
    },
    plain_selector: {
      on: ['selector'],
      holds: ({ selector }) => /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(selector),
      message: 'A selector has small letters, digits and dashes.',
    },
  },
  actions: {
    new_key: {
      label: 'New key',
      icon: 'key',
      single: 'Choose one domain.',
      groups: ['base.group_system'],
      run: newKey,
    },
    check: {
      label: 'Check',
      icon: 'check',
      groups: ['base.group_system'],
      run: checkDomains,
    },
  },
});

const generate = promisify(generateKeyPair);

/**
 * After the commit, because it takes time. It does not sign before somebody says that it is published: receivers reject what they cannot
 * verify. As the server: the private key cannot be written as a field.
 */
async function newKey({ env, records }: ActionCall<'sys.mail.domain'>): Promise<void> {
  const { id } = await records.only('name');
  tellSecret(env);
  afterCommit(env, async (transact) => {
    const { privateKey, publicKey } = await generate('rsa', {
      ...{ modulusLength: 2048 },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'der' },
    });
    await transact((later) =>
      later
        .sudo()
        .model('sys.mail.domain')
        .write([id], {
          private_key: privateKey,
          public_key: publicKey.toString('base64'),
          key_since: later.now.toISOString(),
          signs: false,
          dkim_state: null,
          dkim_told: null,
        }),
    );
  });
}

/** After the commit: DNS takes time. What it found is stored in the language of who asked. */
async function checkDomains({ env, records }: ActionCall<'sys.mail.domain'>): Promise<void> {
  const config = workState(env.work)?.config;
  if (records.ids.length > 10) throw new UserError('Check at most ten domains at once.');
  const rows = await records.load('name', 'selector', 'public_key');
  const settings = config ? await mailSettings(env.db, config) : null;
  const { say } = wordsIn(env, env.actor.lang);
  const sender = rows.map((row) => ({ id: row.id, name: row.name, selector: row.selector, publicKey: row.public_key }));
  afterCommit(env, async (transact) => {
    for (const { id, name, selector, publicKey } of sender) {
      const host = settings?.smtpHost ?? '';
      const { spf, dkim, dmarc } = await checkSender(senderDns.open(), { domain: name, selector, publicKey, host });
      const record = (finding: RecordFinding) =>
        finding.value === '' ? null : `${finding.name}. TXT "${finding.value}"`;
      await transact((later) =>
        later
          .sudo()
          .model('sys.mail.domain')
          .write([id], {
            ...{ spf_state: spf.state, spf_told: say(spf.told), spf_record: record(spf) },
            ...{ dkim_state: dkim.state, dkim_told: say(dkim.told) },
            ...{ dmarc_state: dmarc.state, dmarc_told: say(dmarc.told), dmarc_record: record(dmarc) },
            checked_at: later.now.toISOString(),
          }),
      );
    }
  });
}
