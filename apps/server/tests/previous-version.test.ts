import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@kontor/database';
import { createTestDatabase, isLong } from '@kontor/testing';
import { needProgram } from '@kontor/testing/debian-program';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePorts, startHaproxy } from './balancer.ts';
import { Browser } from './browser.ts';
import { type BuiltServer, runBuilt, startBuiltServer } from './built-server.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const admin = { login: 'ada@example.com', password: 'correct horse battery' };
const { commit, modules: released } = JSON.parse(
  readFileSync(join(root, 'scripts/check/released-modules.json'), 'utf8'),
) as { readonly commit: string; readonly modules: Readonly<Record<string, { readonly version: string }>> };
const hasHistory = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0;

/** The last release, built from the history; kept for the next run. */
function buildPrevious(): string {
  const folder = join(root, '.cache', `previous-${commit.slice(0, 12)}`);
  const main = join(folder, 'dist/start/main.js');
  if (existsSync(main)) return main;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(join(partial, 'node_modules'), { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['x', '-C', partial], { input: archive });
  const own = new Set(['@kontor', '@addons']);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const [from, to] = [join(root, 'node_modules', name), join(partial, 'node_modules', name)];
    if (!own.has(name)) symlinkSync(from, to);
    else {
      mkdirSync(to);
      for (const each of readdirSync(from)) symlinkSync(readlinkSync(join(from, each)), join(to, each));
    }
  }
  execFileSync(process.execPath, ['scripts/build.mjs', 'server'], { cwd: partial, stdio: 'ignore' });
  // Pages need some client; what it shows is no matter here.
  if (!existsSync(join(partial, 'dist/web'))) symlinkSync(join(root, 'dist/web'), join(partial, 'dist/web'));
  rmSync(folder, { recursive: true, force: true });
  renameSync(partial, folder);
  return main;
}

const pages = [
  '/web/home',
  '/web/wc/workspace?model=sale.order&view_type=list',
  '/web/wc/workspace?model=crm.lead&view_type=kanban',
  '/web/wc/workspace?model=invoice.invoice&view_type=list',
];

/** People at work through the balancer; what was answered and what failed. */
function startTraffic(browser: Browser) {
  const failed = new Set<string>();
  let [answered, isOver] = [0, false];
  const rpc = async (body: object) => {
    const { ok, status, error } = await browser.call(body);
    return ok ? null : `${status} ${error?.code} ${error?.message}`;
  };
  const open = async (path: string) => {
    const answer = await browser.get(path);
    const text = await answer.text();
    return answer.status === 200 ? null : `${answer.status} ${path} ${text.slice(0, 200)}`;
  };
  const calls = [
    (name: string) => ({ model: 'core.partner', method: 'create', args: [{ name }] }),
    () => ({ model: 'core.partner', method: 'search_read', args: [[], ['name']], kwargs: { limit: 10 } }),
    () => ({ model: 'sale.order', method: 'search_read', args: [[], ['name', 'amount_total']], kwargs: { limit: 10 } }),
    () => ({ model: 'crm.lead', method: 'search_read', args: [[], ['name', 'stage_id']], kwargs: { limit: 10 } }),
  ];
  const working = Array.from({ length: 4 }, async (_, client) => {
    for (let count = 0; !isOver; count++) {
      const call = calls[(client + count) % calls.length] as (typeof calls)[number];
      const path = pages[count % pages.length] as string;
      const asked = count % 3 === 2 ? open(path) : rpc(call(`partner ${client}-${count}`));
      const failure = await asked.catch((problem: Error) => problem.message);
      if (failure === null) answered++;
      else failed.add(failure);
    }
  });
  return {
    failed,
    /** Waits until more has been asked. */
    async more() {
      const until = answered + failed.size + 200;
      await expect.poll(() => answered + failed.size, { timeout: 120_000, interval: 20 }).toBeGreaterThan(until);
    },
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

describe.runIf(isLong && hasHistory)('the version before', () => {
  it('OPS-17 serves beside this one while the database is upgraded, or upgrade --safe says why it cannot', async (context) => {
    const haproxy = needProgram(context, { program: 'haproxy', from: 'haproxy', mayFetch: true });
    const data = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'kontor-previous-'));
    const servers: BuiltServer[] = [];
    onTestFinished(async () => {
      for (const server of servers) await server.stop();
      await data.drop();
      rmSync(folder, { recursive: true, force: true });
    });
    const main = buildPrevious();
    const [one = 0, two = 0, front = 0] = await freePorts(3);
    const env = { KONTOR_TRUSTED_PROXIES: '127.0.0.1', KONTOR_HTTP_DRAIN_SECONDS: '1', KONTOR_SETUP_TOKEN: 'a token' };
    const start = async (port: number, file?: string) => {
      const server = await startBuiltServer({
        dsn: data.dsn,
        env,
        args: ['-p', String(port)],
        ...(file ? { main: file } : {}),
      });
      servers.push(server);
      return server;
    };
    const old = [await start(one, main), await start(two, main)];
    const form = { company_name: 'N', admin_name: 'Ada', email: admin.login, password: admin.password };
    const setUp = await new Browser(`http://127.0.0.1:${one}`).json('/setup/init', {
      ...{ ...form, apps: 'invoice,bank,crm,project,calendar,automations,mailing', demo: '1', setup_token: 'a token' },
    });
    expect(setUp.status).toBe(200);
    const balancer = await startHaproxy(haproxy, { folder, port: front, upstreams: [one, two], everyMs: 100 });
    const browser = new Browser(balancer.url);
    await browser.signIn(admin.login, admin.password);
    const traffic = startTraffic(browser);
    await traffic.more();
    const { code, err } = await runBuilt(['upgrade', '--safe', '-d', data.dsn]);
    if (code !== 0) expect(err).toMatch(/Not safe with the previous version/);
    await traffic.more();
    for (const [at, port] of code === 0
      ? ([
          [0, one],
          [1, two],
        ] as const)
      : []) {
      old[at]?.signal('SIGTERM');
      await old[at]?.ended;
      await start(port);
      await traffic.more();
    }
    await traffic.stop();
    await balancer.stop();
    expect([...traffic.failed]).toEqual([]);
    if (code !== 0) {
      const [newest = ''] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);
      expect(newest).toMatch(/^- Stop all processes/m);
      const [row] = await data.database.query(sql`select version from sys_module where name = 'base'`);
      expect(row).toEqual({ version: released.base?.version });
    }
    process.stdout.write(`upgrade --safe from ${commit.slice(0, 12)}: ${code === 0 ? 'done' : err}\n`);
  }, 900_000);
});
