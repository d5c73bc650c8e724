import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { type BuiltServer, failedStart, runBuilt, startBuiltServer } from './built-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'kontor-commands-'));
// PostgreSQL runs under another account when the tests run as root.
chmodSync(folder, 0o755);
const at = (name: string) => join(folder, name);
const admin = { login: 'ada@example.com', password: 'correct horse battery' };
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const on = (name: string) => ({ env: { KONTOR_DATA_DIR: at(name) } });
const serve = (name: string) =>
  startBuiltServer({ dsn: '', env: { KONTOR_DATA_DIR: at(name), KONTOR_CRON_ENABLED: 'false' } });

let server: BuiltServer | null = null;
let target: TestDatabase;
beforeAll(async () => {
  target = await createTestDatabase();
  const named = ['--company', 'Nordlicht', '--name', 'Ada', '--email', admin.login, '--apps', 'sale'];
  const done = await runBuilt(['setup', ...named, '--data-dir', at('first')], { input: `${admin.password}\n` });
  expect(done).toMatchObject({ code: 0, err: '' });
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

describe('kontor as a command', () => {
  it('CLI-1 has a help for each command, and says what it does not understand with exit code 2', async () => {
    const overview = await runBuilt(['--help']);
    expect(overview.code).toBe(0);
    const names = ['start', 'setup', 'backup', 'restore', 'migrate-to', 'upgrade', 'check', 'shell', 'user', 'health'];
    for (const name of names) expect(overview.out).toContain(`kontor ${name}`);
    const helps = await Promise.all(names.map((name) => runBuilt([name, '--help'])));
    for (const [index, { code, out }] of helps.entries()) {
      expect([names[index], code, out.startsWith(`Usage: kontor ${names[index]}`)]).toEqual([names[index], 0, true]);
    }
    const refused = await Promise.all(
      [['bakcup'], ['backup'], ['backup', 'a', 'b'], ['user', 'list', '--nmae=x'], ['health', '-p', 'x']].map((argv) =>
        runBuilt(argv),
      ),
    );
    expect(refused.map(({ code, err }) => [code, err.trim().split('\n')[0]])).toEqual([
      [2, 'There is no command "bakcup". Did you mean "backup"? See kontor --help.'],
      [2, 'Usage: kontor backup FILE. See kontor backup --help.'],
      [2, '"b" is one word too many. Usage: kontor backup FILE. See kontor backup --help.'],
      [2, expect.stringMatching(/^Unknown option '--nmae'.*See kontor user --help\.$/)],
      [2, expect.stringContaining('http_port has the value "x"')],
    ]);
    const none = await runBuilt(['backup', at('x'), '--data-dir', at('none')]);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('There is no database in')]);
    expect(existsSync(at('none'))).toBe(false);
  });

  it('CLI-2 BKP-5 backs up while people work, restores elsewhere, and moves to a server', async () => {
    server = await serve('first');
    const boss = await signedIn();
    const partner = await boss.rpc<number>('core.partner', 'create', [{ name: 'Ümit & Söhne\\.', image: pixel }]);
    const before = await numberOf(boss, await order(boss, partner));

    writeFileSync(at('secret'), 'a long passphrase\nand a note\n');
    const health = await runBuilt(['health', '-p', String(server.port)]);
    expect([health.code, JSON.parse(health.out).ok]).toEqual([0, true]);
    const made = await runBuilt(['backup', at('day.backup'), '--passphrase-file', at('secret')], on('first'));
    expect(made).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/MB, encrypted, sha256 [0-9a-f]{64}/) });
    expect(statSync(at('day.backup')).mode & 0o777).toBe(0o600);
    expect(readFileSync(at('day.backup')).includes('Nordlicht')).toBe(false);
    expect((await runBuilt(['backup', at('day.backup')], on('first'))).err).toContain('is there already');
    await order(boss, partner);
    const reading = { ...on('first'), input: 'another good password\n' };
    expect(await runBuilt(['user', 'password', admin.login], reading)).toMatchObject({ code: 0, err: '' });
    expect(await boss.outcome('core.user', 'search', [[]])).toBe('401 UNAUTHORIZED');
    const checked = await runBuilt(['check'], on('first'));
    expect(checked).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/modules: .*sale[\s\S]*No problem was found/),
    });
    await stop();
    expect((await runBuilt(['health', '-p', '1'])).code).toBe(1);

    const restoring = [at('day.backup'), '--passphrase-file', at('secret'), '--data-dir', at('second')];
    const whole = readFileSync(at('day.backup'));
    const bad = Buffer.from(whole);
    bad[bad.length >> 1] = (bad[bad.length >> 1] as number) ^ 1;
    for (const [index, bytes] of [whole.subarray(0, -5), whole.subarray(0, whole.length >> 1), bad].entries()) {
      writeFileSync(at(`bad-${index}`), bytes);
      const refused = await runBuilt(['restore', at(`bad-${index}`), ...restoring.slice(1)]);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('cut off or has been changed')]);
    }
    const wrong = await runBuilt(['restore', at('day.backup'), '--data-dir', at('second')], { input: 'wrong\n' });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('The passphrase is wrong')]);
    expect(existsSync(at('second'))).toBe(false);
    const restored = await runBuilt(['restore', ...restoring]);
    expect(restored).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/is whole: made .*\nRestored \d+ rows/),
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

    const early = await runBuilt(['migrate-to', target.dsn], on('second'));
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('Stop it first')]);
    await stop();
    const moved = await runBuilt(['migrate-to', target.dsn], on('second'));
    expect(moved).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Moved \d+ rows of \d+ tables/) });
    const { code, text } = await failedStart({ dsn: '', env: { KONTOR_DATA_DIR: at('second') } });
    expect([code, text]).toEqual([1, expect.stringContaining('were moved to postgres://')]);
    server = await startBuiltServer({ dsn: target.dsn });
    const there = await signedIn();
    expect(await there.rpc('core.partner', 'read', [[partner], ['name', 'image']])).toEqual([kept]);
    expect(await numberOf(there, await order(there, partner))).toBe(before + 2);
  }, 240_000);

  it('CLI-3 keeps people, upgrades modules and answers questions of an operator', async () => {
    const there = { env: { KONTOR_DB_DSN: target.dsn } };
    const added = await runBuilt(['user', 'add', 'bo@example.com', '--name', 'Bo', '--admin'], {
      ...there,
      input: 'short',
    });
    expect([added.code, added.err]).toEqual([1, expect.stringContaining('A password has 8 to 128 characters.')]);
    const input = 'a good password\n';
    expect(
      (await runBuilt(['user', 'add', 'bo@example.com', '--name', 'Bo', '--admin'], { ...there, input })).code,
    ).toBe(0);
    expect((await runBuilt(['user', 'disable', 'nobody@example.com'], there)).err).toContain('Nobody has the login');
    expect((await runBuilt(['user', 'disable', 'bo@example.com'], there)).code).toBe(0);
    const list = await runBuilt(['user', 'list'], there);
    expect(list.out).toBe(`${admin.login}\tAda\tadministrator\nbo@example.com\tBo\tadministrator, may not sign in\n`);
    const upgraded = await runBuilt(['upgrade', 'sale'], there);
    expect([upgraded.code, upgraded.out]).toEqual([0, expect.stringMatching(/^sale: upgraded, /)]);
    const code = "return read((env) => env.model('core.user').count([]))";
    expect(await runBuilt(['shell', '-e', code], there)).toEqual({ code: 0, out: '2\n', err: '' });
  }, 120_000);
});
