import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDump, sql } from '@kontor/database';
import {
  createTestDatabase,
  createTestKernel,
  isLong,
  preparedDatabase,
  type TestDatabase,
  testAdmin,
} from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBackupFile } from '../backup/backup-file.ts';
import { commandHelp, parseArguments } from '../commands/command.ts';
import { commands } from '../commands/run-command.ts';
import type { Browser } from './browser.ts';
import { type BuiltServer, failedStart, runBuilt, startBuiltServer } from './built-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'kontor-commands-'));
// PostgreSQL runs under another account when the tests run as root.
chmodSync(folder, 0o755);
const at = (name: string) => join(folder, name);
const admin = { login: testAdmin.email, password: testAdmin.password };
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const on = (name: string) => ({ env: { KONTOR_DATA_DIR: at(name) } });
const serve = (name: string) =>
  startBuiltServer({ dsn: '', env: { KONTOR_DATA_DIR: at(name), KONTOR_CRON_ENABLED: 'false' } });

let server: BuiltServer | null = null;
let target: TestDatabase;
beforeAll(async () => {
  target = await createTestDatabase();
});
afterAll(async () => {
  await server?.stop();
  await target?.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  server?.signal('SIGTERM');
  expect(await server?.ended).toBe(0);
  server = null;
}

async function signedIn(): Promise<Browser> {
  const browser = server?.browser() as Browser;
  await browser.signIn(admin.login, admin.password);
  return browser;
}

const order = (browser: Browser, partner: number) =>
  browser.rpc<number>('sale.order', 'create', [{ partner_id: partner }]);
const numberOf = async (browser: Browser, id: number) => {
  const [row] = await browser.rpc<{ name: string }[]>('sale.order', 'read', [[id], ['name']]);
  return Number(/\d+$/.exec(row?.name ?? '')?.[0]);
};

/** A restored database is backed up while it is served; whoever is signed in has to do so again with a new password. */
async function backUpWhileItRuns(): Promise<void> {
  server = await serve('first');
  const boss = await signedIn();
  expect(await boss.rpc('sale.order', 'search', [[]])).toHaveLength(1);
  const plain = await runBuilt(['backup', folder], on('first'));
  expect(plain).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/kontor-\d{8}T\d{6}Z\.backup: .* not encrypted/),
  });
  const reading = { ...on('first'), input: 'another good password\n' };
  expect(await runBuilt(['user', 'password', admin.login], reading)).toMatchObject({ code: 0, err: '' });
  expect(await boss.outcome('core.user', 'search', [[]])).toBe('401 UNAUTHORIZED');
  await stop();
}

describe('kontor as a command', () => {
  long('CLI-1 has a help for each command, and says what it does not understand with exit code 2', async () => {
    const overview = await runBuilt(['--help']);
    expect(overview.code).toBe(0);
    const names = [
      'start',
      'setup',
      'backup',
      'restore',
      'migrate-to',
      'upgrade',
      'leftovers',
      'add',
      'remove',
      'check',
      'test',
      'dev',
      'words',
      'view',
      'explain',
      'types',
      'pack',
      'shell',
      'user',
      'key',
      'health',
      'mcp',
    ];
    expect([...overview.out.matchAll(/^ {2}kontor ([a-z-]+)/gm)].map(([, name]) => name)).toEqual(names);
    for (const command of commands) {
      expect(commandHelp(command)).toMatch(new RegExp(`^Usage: kontor ${command.name} [^]*--database DSN`));
      expect(() => parseArguments(command, ['--zzz=x'])).toThrow(
        `Unknown option '--zzz'. See kontor ${command.name} --help.`,
      );
      const hint = 'Unknown option \'--databse\'. Did you mean "--database"? See ';
      expect(() => parseArguments(command, ['--databse=x'])).toThrow(hint);
      const [least, most] = command.words;
      if (least > 0) expect(() => parseArguments(command, [])).toThrow(`Usage: kontor ${command.name} `);
      expect(() => parseArguments(command, Array(most + 1).fill('x'))).toThrow('"x" is an unexpected argument.');
    }
    expect((await runBuilt(['backup', '--help'])).out).toMatch(/^Usage: kontor backup FILE /);
    const refused = await Promise.all(
      [
        ['bakcup'],
        ['key', 'rotate', 'x'],
        ['check', 'x', '--queries'],
        ['health', '-p', 'x'],
        ['backup', at('x'), '--data-dir', at('none')],
      ].map((argv) => runBuilt(argv)),
    );
    expect(refused.map(({ code, err }) => [code, err])).toEqual([
      [2, 'There is no command "bakcup". Did you mean "backup"? See kontor --help.\n'],
      [2, 'ID is missing. Usage: kontor key rotate ID. See kontor key list.\n'],
      [2, '--queries checks a database, not a folder. See kontor check --help.\n'],
      [2, expect.stringContaining('http_port has the value "x"')],
      [1, expect.stringContaining('There is no database in')],
    ]);
    expect(existsSync(at('none'))).toBe(false);
  });

  it('CLI-2 BKP-5 OPS-6 OPS-14 PRF-22 restores a backup into an empty directory, and moves it to a server', async () => {
    const data = await createTestKernel({ modules: ['sale'] });
    const partner = await data.work(async (env) => {
      const id = await env.model('core.partner').create({ name: 'Ümit & Söhne\\.', image: pixel });
      await env.model('sale.order').create({ partner_id: id });
      await env.model('sys.mail.server').create({ host: 'smtp.example.com', sender: 'kontor@example.com' });
      return id;
    });
    writeFileSync(at('secret'), 'a long passphrase\nand a note\n');
    const passphrase = ['--passphrase-file', at('secret')];
    const made = await runBuilt(['backup', at('day.backup'), ...passphrase, '-d', data.dsn]);
    await data.close();
    expect(made).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/MB, encrypted, sha256 [0-9a-f]{64}/) });
    expect(statSync(at('day.backup')).mode & 0o777).toBe(0o600);
    await refuseDamaged(passphrase);
    const restored = await runBuilt(['restore', at('day.backup'), ...passphrase, '--data-dir', at('first')]);
    expect(restored).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/is valid: made .*\nRestored \d+ rows/),
    });
    if (isLong) await backUpWhileItRuns();

    const moved = await runBuilt(['migrate-to', target.dsn], on('first'));
    expect(moved).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Moved \d+ rows of \d+ tables/) });
    expect(await target.database.query(sql`select name from core_partner where id = ${partner}`)).toEqual([
      { name: 'Ümit & Söhne\\.' },
    ]);
    const { code, text } = await failedStart({ dsn: '', env: { KONTOR_DATA_DIR: at('first') } });
    expect([code, text]).toEqual([1, expect.stringContaining('were moved to postgres://')]);
    const checked = await runBuilt(['check', '-d', target.dsn]);
    expect(checked).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /modules: .*sale[\s\S]*mail: by smtp.example.com, as set up on the mail screen\nNo problem was found/,
      ),
    });
    const older = await createTestDatabase({ template: await preparedDatabase({}) });
    await older.database.execute(sql`alter table sys_mail_server drop column tls`);
    await older.database.execute(sql`alter table core_user drop column oidc_only`);
    const onOlder = await runBuilt(['check', '-d', older.dsn]);
    await older.drop();
    expect(onOlder).toMatchObject({
      code: 1,
      err: expect.stringMatching(/The database is older than the code\. Run: kontor upgrade base/),
    });
    await target.database.execute(sql`
      insert into core_partner (name, city, active, create_date, write_date)
      select 'P' || n, 'City ' || n, true, now(), now() from generate_series(1, 6000) n`);
    await target.database.execute(sql`analyze core_partner`);
    await target.database.execute(sql`
      insert into sys_asked_query (model, equal, range, sort, count, total_ms, asked_at)
      values ('core.partner', 'city', '', 'name', 40, 480, now())`);
    const proposed = await runBuilt(['check', '--queries', '--json', '-d', target.dsn]);
    expect(proposed).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(proposed.out).proposals).toEqual([
      expect.objectContaining({
        ...{
          addon: 'base',
          path: expect.stringMatching(/addons\/base\/models\/partner\.ts$/),
          line: expect.any(Number),
        },
        ...{ model: 'core.partner', fields: ['city'], index: 'city', times: 40, ms: 12, readsThen: 1 },
        message: expect.stringMatching(/^core\.partner is looked up by city, sorted by name: 40 times, 12 ms each\./),
        fix: "In an addon of your own: inheritModel('core.partner', { indexes: ['city'] }).",
      }),
    ]);
  }, 300_000);

  it.runIf(isLong)(
    'SET-2 CLI-2 BKP-5 sets up, backs up while people work, restores elsewhere, moves to a server',
    async () => {
      const named = ['--company', 'Nordlicht', '--name', 'Ada', '--email', admin.login, '--apps', 'sale'];
      const setUp = await runBuilt(['setup', ...named, '--data-dir', at('home')], { input: `${admin.password}\n` });
      expect(setUp).toMatchObject({ code: 0, err: '' });
      server = await serve('home');
      const boss = await signedIn();
      const partner = await boss.rpc<number>('core.partner', 'create', [{ name: 'Ümit & Söhne\\.', image: pixel }]);
      const before = await numberOf(boss, await order(boss, partner));

      writeFileSync(at('secret'), 'a long passphrase\nand a note\n');
      const health = await runBuilt(['health', '--ready', '-p', String(server.port)]);
      expect([health.code, JSON.parse(health.out).ok]).toEqual([0, true]);
      const made = await runBuilt(['backup', at('home.backup'), '--passphrase-file', at('secret')], on('home'));
      expect(made).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringMatching(/MB, encrypted, sha256 [0-9a-f]{64}/),
      });
      expect(statSync(at('home.backup')).mode & 0o777).toBe(0o600);
      expect(readFileSync(at('home.backup')).includes('Nordlicht')).toBe(false);
      expect((await runBuilt(['backup', at('home.backup')], on('home'))).err).toContain('already exists');
      await order(boss, partner);
      const reading = { ...on('home'), input: 'another good password\n' };
      expect(await runBuilt(['user', 'password', admin.login], reading)).toMatchObject({ code: 0, err: '' });
      expect(await boss.outcome('core.user', 'search', [[]])).toBe('401 UNAUTHORIZED');
      const checked = await runBuilt(['check'], on('home'));
      expect(checked).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringMatching(/modules: .*sale[\s\S]*No problem was found/),
      });
      await stop();
      expect((await runBuilt(['health', '-p', '1'])).code).toBe(1);

      const restoring = [at('home.backup'), '--passphrase-file', at('secret'), '--data-dir', at('second')];
      expect(existsSync(at('second'))).toBe(false);
      const restored = await runBuilt(['restore', ...restoring]);
      expect(restored).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringMatching(/is valid: made .*\nRestored \d+ rows/),
      });
      expect((await runBuilt(['restore', ...restoring])).err).toContain('The database is not empty');

      server = await serve('second');
      const again = await signedIn();
      const [kept] = await again.rpc<{ name: string; image: string }[]>('core.partner', 'read', [
        [partner],
        ['name', 'image'],
      ]);
      expect(kept).toEqual({ id: partner, name: 'Ümit & Söhne\\.', image: pixel });
      expect(await numberOf(again, await order(again, partner))).toBe(before + 1);

      const other = await createTestDatabase();
      const early = await runBuilt(['migrate-to', other.dsn], on('second'));
      expect([early.code, early.err]).toEqual([1, expect.stringContaining('Stop it first')]);
      await stop();
      const moved = await runBuilt(['migrate-to', other.dsn], on('second'));
      expect(moved).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Moved \d+ rows of \d+ tables/) });
      const { code, text } = await failedStart({ dsn: '', env: { KONTOR_DATA_DIR: at('second') } });
      expect([code, text]).toEqual([1, expect.stringContaining('were moved to postgres://')]);
      server = await startBuiltServer({ dsn: other.dsn });
      const there = await signedIn();
      expect(await there.rpc('core.partner', 'read', [[partner], ['name', 'image']])).toEqual([kept]);
      expect(await numberOf(there, await order(there, partner))).toBe(before + 2);
      await stop();
      await other.drop();
    },
    240_000,
  );

  it('CLI-3 KEY-9 keeps people and keys, upgrades modules and answers questions of an operator', async () => {
    const there = { env: { KONTOR_DB_DSN: target.dsn } };
    if (isLong) await changePeople(there);
    const people = [
      `${admin.login}\tAda Lindqvist\tadministrator`,
      'bo@example.com\tBo\tadministrator, may not sign in',
    ];
    const list = await runBuilt(['user', 'list'], there);
    expect(list).toEqual({ code: 0, err: '', out: `${people.slice(0, isLong ? 2 : 1).join('\n')}\n` });
    const code = "return read((env) => env.model('sale.order').count([]))";
    expect(await runBuilt(['shell', '-e', code], there)).toEqual({ code: 0, out: '1\n', err: '' });
    expect(await runBuilt(['types', target.dsn, '-o', at('models.ts')])).toMatchObject({ code: 0, err: '' });
    const written = readFileSync(at('models.ts'), 'utf8');
    expect(written).toContain("readonly 'sale.order': SaleOrder;");
    // What nobody may read is written, and never told.
    expect(/interface CoreUserRecord \{[^}]*/.exec(written)?.[0]).not.toContain('readonly password');
    expect(/interface CoreUserValues \{[^}]*/.exec(written)?.[0]).toContain('password?: string');
    await useKeys(there);
    if (!isLong) return;
    const upgraded = await runBuilt(['upgrade', 'sale'], there);
    expect([upgraded.code, upgraded.out]).toEqual([0, expect.stringMatching(/^sale: upgraded, /)]);
    expect(await runBuilt(['leftovers'], there)).toMatchObject({ code: 0, out: 'Nothing is left over.\n' });
    const unknown = await runBuilt(['leftovers', '--drop', 'sale_order.name'], there);
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('sale_order.name is not left over.')]);
  }, 300_000);
});

async function useKeys(there: { readonly env: Readonly<Record<string, string>> }): Promise<void> {
  const scope = '{"core.user": ["search_read"]}';
  const making = ['key', 'create', '--user', admin.login, '--name', 'ERP', '--scope', scope, '--rate', '60'];
  const made = await runBuilt([...making, '--expires', '2090-01-31'], there);
  expect(made).toEqual({
    code: 0,
    out: expect.stringMatching(/^sk_[0-9a-f]{48}\n$/),
    err: expect.stringMatching(/^Key \d+ of .*, until 2090-01-31T23:59:59\.000Z\. Its secret, once:\n$/),
  });
  const id = /^Key (\d+)/.exec(made.err)?.[1] ?? '';
  const rotated = await runBuilt(['key', 'rotate', id, '--overlap', '7d'], there);
  expect(rotated).toMatchObject({ code: 0, err: expect.stringContaining('the old secret works until ') });
  const list = await runBuilt(['key', 'list'], there);
  const shown = [made.out, rotated.out].map((secret) => secret.slice(0, 11));
  expect(list.out).toMatch(
    new RegExp(`^${id}\tERP\t${admin.login}\t${shown[1]}…\tnever used, until 2090-.*, 60 calls per minute, scope`),
  );
  expect(list.out).toMatch(new RegExp(`\told secret\t\t${shown[0]}…\tnever used, until `));
  const agent = ['--agent', 'Scout', '--held', '{"*": ["unlink"]}', '--approver', admin.login];
  expect(await runBuilt(['key', 'create', '--user', admin.login, '--name', 'Scout', ...agent], there)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^sk_/),
  });
  expect((await runBuilt(['key', 'create', '--user', admin.login, '--held', '{}'], there)).err).toContain(
    '--held is for the key of an agent: add --agent NAME.',
  );
  const past = await runBuilt(
    ['key', 'create', '--user', admin.login, '--name', 'ERP', '--expires', '2020-01-31'],
    there,
  );
  expect([past.code, past.err]).toEqual([1, expect.stringContaining('the key would give no access')]);
  if (!isLong) return;
  expect((await runBuilt(['key', 'end', id, '--old'], there)).out).toContain('the old secret has ended');
  expect((await runBuilt(['key', 'end', id], there)).out).toBe(`Key ${id}: has ended\n`);
  expect((await runBuilt(['key', 'rotate', id], there)).err).toContain('This key has expired');
  expect([(await runBuilt(['key', 'list'], there)).out, (await runBuilt(['key', 'list', '--all'], there)).out]).toEqual(
    // That of the agent goes on.
    [expect.stringMatching(/^\d+\tScout\t.*\n$/), expect.stringContaining('has ended')],
  );
}

async function changePeople(there: { readonly env: Readonly<Record<string, string>> }): Promise<void> {
  const adding = ['user', 'add', 'bo@example.com', '--name', 'Bo', '--admin'];
  const short = await runBuilt(adding, { ...there, input: 'short' });
  expect([short.code, short.err]).toEqual([1, expect.stringContaining('Passwords must have 8 to 128 characters.')]);
  expect((await runBuilt(adding, { ...there, input: 'a good password\n' })).code).toBe(0);
  expect((await runBuilt(['user', 'disable', 'nobody@example.com'], there)).err).toContain(
    'There is no user with the login',
  );
  expect((await runBuilt(['user', 'disable', 'bo@example.com'], there)).code).toBe(0);
}

/** What is cut off, changed or opened with another passphrase is refused, and not even a directory is made. */
async function refuseDamaged(passphrase: readonly string[]): Promise<void> {
  const whole = readFileSync(at('day.backup'));
  expect(whole.includes('Nordlicht')).toBe(false);
  const changed = Buffer.from(whole);
  changed[whole.length >> 1] = (changed[whole.length >> 1] as number) ^ 1;
  const damaged = [
    whole.subarray(0, -5),
    whole.subarray(0, whole.length >> 1),
    Buffer.concat([whole, whole.subarray(-1)]),
    changed,
  ];
  for (const [index, bytes] of damaged.entries()) {
    writeFileSync(at(`bad-${index}`), bytes);
    const reading = checkDump(readBackupFile(at(`bad-${index}`), 'a long passphrase'));
    await expect(reading).rejects.toThrow('incomplete or has been modified');
  }
  const refused = await runBuilt(['restore', at('bad-3'), ...passphrase, '--data-dir', at('first')]);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('incomplete or has been modified')]);
  const wrong = checkDump(readBackupFile(at('day.backup'), 'wrong'));
  await expect(wrong).rejects.toThrow('The passphrase is wrong');
  expect(existsSync(at('first'))).toBe(false);
}
