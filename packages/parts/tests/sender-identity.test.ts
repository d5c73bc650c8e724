import { createHash, createVerify } from 'node:crypto';
import { sql } from '@kontor/database';
import { type Env, typedEnv } from '@kontor/orm';
import { createTestKernel, startMailServer, type TestKernel, type TestMailServer } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkSender, ownSender, queueMail, senderDns, startMail } from '../index.ts';
import { dkimKeyOf } from '../mail/sender-of.ts';

const answers = (records: Readonly<Record<string, readonly string[] | Error>>) => ({
  async resolveTxt(name: string) {
    const found = records[name];
    if (found instanceof Error) throw found;
    if (!found) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return found.map((one) => [one.slice(0, 10), one.slice(10)]);
  },
});
const sender = { domain: 'example.com', selector: 'kontor', publicKey: 'AAAB', host: 'smtp.example.com' };
const check = (records: Parameters<typeof answers>[0]) => checkSender(answers(records), sender);

describe('OUM-21 what DNS says about a sender domain', () => {
  it.each([
    ['nothing', [], 'missing', 'v=spf1 a:smtp.example.com ~all'],
    ['a record', ['x', 'v=spf1 include:_spf.example.net -all'], 'ok', ''],
    ['two records', ['v=spf1 mx -all', 'v=spf1 a -all'], 'wrong', ''],
    ['everybody', ['v=spf1 mx +all'], 'wrong', 'v=spf1 mx ~all'],
    ['no end', ['v=spf1 mx'], 'weak', 'v=spf1 mx ~all'],
    ['an open end', ['v=spf1 mx ?all'], 'weak', 'v=spf1 mx ~all'],
    ['a redirect', ['v=spf1 redirect=_spf.example.net'], 'ok', ''],
    ['too many names', [`v=spf1 ${'include:a.example.net '.repeat(11)}-all`], 'wrong', ''],
  ] as const)('OUM-21 SPF with %s', async (_name, records, state, value) => {
    expect((await check({ 'example.com': records })).spf).toMatchObject({ state, value, name: 'example.com' });
  });

  it.each([
    ['nothing', [], 'missing', 'v=DKIM1; k=rsa; p=AAAB'],
    ['the key in parts', ['v=DKIM1; k=rsa; p=AA AB'], 'ok', ''],
    ['another key', ['v=DKIM1; p=BBBB'], 'wrong', 'v=DKIM1; k=rsa; p=AAAB'],
    ['a withdrawn key', ['v=DKIM1; p='], 'wrong', 'v=DKIM1; k=rsa; p=AAAB'],
  ] as const)('OUM-21 DKIM with %s', async (_name, records, state, value) => {
    expect((await check({ 'kontor._domainkey.example.com': records })).dkim).toMatchObject({ state, value });
  });

  it.each([
    ['nothing', [], 'missing'],
    ['a policy', ['v=DMARC1; p=reject'], 'ok'],
    ['counting alone', ['v=DMARC1; p=none; rua=mailto:a@example.com'], 'weak'],
    ['no policy', ['v=DMARC1; rua=mailto:a@example.com'], 'wrong'],
    ['two records', ['v=DMARC1; p=reject', 'v=DMARC1; p=none'], 'wrong'],
  ] as const)('OUM-21 DMARC with %s', async (_name, records, state) => {
    expect((await check({ '_dmarc.example.com': records })).dmarc.state).toBe(state);
  });

  it('OUM-21 a domain below has the policy of the one above, and no answer is not the same as no record', async () => {
    const below = { ...sender, domain: 'mail.example.com' };
    const found = await checkSender(answers({ '_dmarc.example.com': ['v=DMARC1; p=quarantine'] }), below);
    expect(found.dmarc.state).toBe('ok');
    const failed = Object.assign(new Error('x'), { code: 'ESERVFAIL' });
    const silent = await check({
      'example.com': failed,
      '_dmarc.example.com': failed,
      'kontor._domainkey.example.com': failed,
    });
    expect([silent.spf.state, silent.dkim.state, silent.dmarc.state]).toEqual(['unknown', 'unknown', 'unknown']);
  });
});

describe('a sender domain', () => {
  let server: TestMailServer;
  let world: TestKernel;
  let id: number;
  const open = senderDns.open;
  beforeAll(async () => {
    server = await startMailServer();
    world = await createTestKernel({
      modules: ['mail'],
      env: {
        ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: String(server.port), KONTOR_SMTP_TLS: 'none' },
        KONTOR_SMTP_FROM: 'Kontor <office@kontor.test>',
      },
    });
    id = await world.work((env) => env.model('sys.mail.domain').create({ name: ' Office@Kontor.TEST ' }));
    await world.work((env) => typedEnv(env).model('sys.mail.domain').call([id], 'new_key'));
  });
  afterEach(() => {
    senderDns.open = open;
  });
  afterAll(async () => {
    await world.close();
    await server.close();
  });
  const row = async () =>
    (await world.work((env) => env.model('sys.mail.domain').read([id])))[0] as Readonly<Record<string, unknown>>;
  const asServer = <T>(run: (env: Env) => Promise<T>) => world.work((env) => run(env.sudo() as Env));

  it('OUM-20 the private key cannot be read and is in no log; a new one takes its place', async () => {
    const first = await row();
    const [computed] = await world.work((env) =>
      env.model('sys.mail.domain').read([id], ['record_name', 'record_value']),
    );
    expect(first).toMatchObject({ name: 'kontor.test' });
    expect(computed).toMatchObject({
      record_name: 'kontor._domainkey.kontor.test',
      record_value: `v=DKIM1; k=rsa; p=${first.public_key}`,
    });
    expect(Object.keys(first)).not.toContain('private_key');
    const logs = await world.kernel.database.query<{ found: boolean }>(
      sql`select exists (select from sys_change c where c::text like '%PRIVATE KEY%') as found`,
    );
    expect(logs).toEqual([{ found: false }]);
    const user = await world.person('User', ['base.group_user']);
    await expect(world.work((env) => env.model('sys.mail.domain').search([]), user)).rejects.toThrow(
      'You may not read Sender domain records.',
    );
    for (const name of ['localhost', 'a b.test', '-a.test', 'kontor.test\nx'])
      await expect(world.work((env) => env.model('sys.mail.domain').create({ name }))).rejects.toThrow(
        'Enter a domain such as example.com.',
      );
  });

  it('OUM-20 a new key signs nothing before somebody says that it is published', async () => {
    const signing = async () => (await asServer((env) => dkimKeyOf(env.db, 'office@kontor.test'))) !== null;
    expect(await row()).toMatchObject({ signs: false, public_key: expect.any(String) });
    expect(await signing()).toBe(false);
    await world.work((env) => env.model('sys.mail.domain').write([id], { signs: true }));
    expect(await signing()).toBe(true);
    await world.work((env) => typedEnv(env).model('sys.mail.domain').call([id], 'new_key'));
    expect(await signing()).toBe(false);
  });

  it('OUM-20 e-mails are signed by the key of their sender domain, also those with files and long lines', async () => {
    const { public_key: key } = await row();
    await world.work((env) => env.model('sys.mail.domain').write([id], { signs: true }));
    await asServer((env) =>
      queueMail(env, {
        ...{
          to: 'vera@customer.test',
          subject: 'Grüße',
          text: `Hello\n${'x'.repeat(2_000)}\n\n`,
          html: '<p>Hello</p>',
        },
        attachments: [{ filename: 'a.bin', contentType: 'application/octet-stream', content: Buffer.alloc(9_000, 7) }],
      }),
    );
    const worker = startMail(world.kernel, 'worker');
    await vi.waitFor(() => expect(server.accepted).toHaveLength(1), { timeout: 120_000, interval: 20 });
    await worker.stop();
    const mail = (server.accepted[0] as string).replaceAll(/\r?\n/g, '\r\n');
    expect(mail).toMatch(/^DKIM-Signature:[^;]*v=1;/m);
    expect(isSigned(mail, String(key))).toBe(true);
    expect(isSigned(mail.replace('From: Kontor', 'From: Kontur'), String(key))).toBe(false);
  });

  it('OUM-21 the check stores what DNS says in words of the reader, with the records to add', async () => {
    const { public_key: key } = await row();
    senderDns.open = () => answers({ 'kontor._domainkey.kontor.test': [`v=DKIM1; p=${key}`] });
    await world.work((env) => typedEnv(env).model('sys.mail.domain').call([id], 'check'));
    expect(await row()).toMatchObject({
      ...{ spf_state: 'missing', spf_record: 'kontor.test. TXT "v=spf1 mx ~all"' },
      ...{ dkim_state: 'ok', dkim_told: 'The key is published, and e-mails are signed with it.' },
      dmarc_record: '_dmarc.kontor.test. TXT "v=DMARC1; p=none; rua=mailto:postmaster@kontor.test"',
    });
  });

  it('OUM-22 a person writes from their own address only where allowed, and only from one that an administrator entered', async () => {
    const person = await world.person('Eva', ['base.group_user']);
    const own = () => asServer((env) => ownSender(env, person.uid));
    await world.work((env) => env.model('core.user').write([person.uid], { email: 'Eva@kontor.test' }));
    expect(await own()).toBeNull();
    await world.work((env) => env.model('sys.mail.domain').write([id], { own_addresses: true }));
    expect(await own()).toEqual({ name: 'Eva', address: 'Eva@kontor.test' });
    await world.work((env) => env.model('core.user').write([person.uid], { email: 'boss@kontor.test' }), person);
    expect(await own()).toBeNull();
    await world.work((env) => env.model('core.user').write([person.uid], { email: 'eva@elsewhere.test' }));
    expect(await own()).toBeNull();
  });
});

/** Verifies the signature as receivers do (relaxed/relaxed, RFC 6376). */
function isSigned(mail: string, key: string): boolean {
  const [head = '', ...rest] = mail.split('\r\n\r\n');
  const fields = head.split(/\r\n(?![ \t])/);
  const relaxed = (field: string) => {
    const [name = '', ...value] = field.split(':');
    return `${name.trim().toLowerCase()}:${value.join(':').replaceAll(/\s+/g, ' ').trim()}`;
  };
  const signature = fields.find((field) => /^dkim-signature:/i.test(field)) ?? '';
  const tag = (name: string) => new RegExp(`[;:\\s]${name}=([^;]*)`).exec(signature)?.[1]?.replaceAll(/\s/g, '') ?? '';
  const lines = rest
    .join('\r\n\r\n')
    .split('\r\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (lines.at(-1) === '') lines.pop();
  const body = `${lines.join('\r\n')}\r\n`;
  if (createHash('sha256').update(body, 'latin1').digest('base64') !== tag('bh')) return false;
  const signed = tag('h').split(':');
  const left = fields.toReversed();
  const taken = signed.flatMap((name) => {
    const at = left.findIndex((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return at < 0 ? [] : left.splice(at, 1);
  });
  const unsigned = relaxed(signature.replace(/([;\s]b=)[^;]*/, '$1'));
  const verify = createVerify('RSA-SHA256');
  verify.update([...taken.map(relaxed), unsigned].join('\r\n'), 'latin1');
  const pem = `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----`;
  return verify.verify(pem, tag('b'), 'base64');
}
