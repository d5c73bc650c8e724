import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong, selfSigned } from '@kontor/testing';
import { type DebianProgram, needProgram } from '@kontor/testing/debian-program';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { parseArguments } from '../commands/command.ts';
import { commands } from '../commands/run-command.ts';
import { configKeyNames, environmentName } from '../config/keys.ts';
import { readConfig } from '../config/read-config.ts';
import { parsePrometheus } from './prometheus-text.ts';
import { startTestServer } from './test-server.ts';

const deploy = join(import.meta.dirname, '../../../deploy');
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'kontor-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = readdirSync(deploy, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

function check({ path, env }: DebianProgram, args: readonly string[], more: NodeJS.ProcessEnv = {}): void {
  const { status, stdout, stderr } = spawnSync(path, args, { encoding: 'utf8', env: { ...env, ...more } });
  expect([path, status, status === 0 ? '' : stdout + stderr]).toEqual([path, 0, '']);
}

/** Looked at by its own program wherever that is found; the long run fetches it. */
const need = (context: TestContext, program: string, from = program) =>
  needProgram(context, { program, from, mayFetch: isLong });

describe('files to run Kontor with', () => {
  it('DEP-1 name only keys and commands that there are', () => {
    const known = new Set(configKeyNames.map(environmentName));
    const named = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bKONTOR_[A-Z_]+/g)].map(([name]) => name),
    );
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    const lines = read('kontor.ini')
      .replace(/^; db_dsn.*\n/m, '')
      .replaceAll(/^; /gm, '');
    const reading = { env: {}, cwd: '/', readFile: () => lines };
    expect(readConfig({ ...reading, argv: ['-c', '/kontor.ini'] }).smtpHost).toBe('mail.example.com');
    const calls = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^ExecStart=.*kontor\.mjs (.*)$|CMD \["kontor", "(.*)"\]$/gm)].map(
        ([, unit, image]) => (unit ?? image ?? '').replace('%i', '8080').split(/",? "| /),
      ),
    );
    expect(calls.map(([name]) => name).sort()).toEqual(['backup', 'health', 'start', 'start']);
    for (const [name, ...argv] of calls) {
      const command = commands.find((each) => each.name === name);
      if (command) parseArguments(command, argv);
      else readConfig({ ...reading, argv });
    }
  });

  it('DEP-2 the board and the alerts name only metrics that the server has', async () => {
    const world = await startTestServer();
    const admin = await world.signedIn();
    await admin.rpc('core.user', 'search', []);
    const families = parsePrometheus(await (await admin.get('/metrics')).text());
    await world.close();
    const texts = read('watch/grafana-board.json') + read('watch/alerts.yml');
    const used = new Set([...texts.matchAll(/\b(?:svc|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name));
    expect(used.size).toBeGreaterThan(6);
    expect([...used].filter((name) => !families.has(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([]);
    const labels = new Set(
      [...families.values()].flatMap(({ samples }) => samples.flatMap((each) => Object.keys(each.labels))),
    );
    const asked = [...texts.matchAll(/[{,] ?([a-z_]+)(?:=~|!=|=)\\?"/g)].map(([, label = '']) => label);
    expect(asked.length).toBeGreaterThan(6);
    expect(asked.filter((label) => label !== 'job' && !labels.has(label))).toEqual([]);
  });

  it('DEP-3 systemd takes the units', (context) => {
    const systemd = need(context, 'systemd-analyze', 'systemd');
    const names = readdirSync(join(deploy, 'systemd'));
    for (const name of names) {
      writeFileSync(join(folder, name), read(`systemd/${name}`).replaceAll('/usr/bin/node', process.execPath));
    }
    check(systemd, ['verify', ...names.map((name) => join(folder, name))]);
  });

  it('DEP-3 bash takes the scripts', () => {
    for (const name of readdirSync(join(deploy, 'postgres')))
      check({ path: 'bash', env: process.env }, ['-n', join(deploy, 'postgres', name)]);
  });

  it('DEP-3 HAProxy takes its configuration', (context) => {
    const haproxy = need(context, 'haproxy');
    const { key, cert } = selfSigned();
    writeFileSync(join(folder, 'both.pem'), cert + key);
    const text = read('proxy/haproxy.cfg').replace('/etc/ssl/kontor/both.pem', join(folder, 'both.pem'));
    writeFileSync(join(folder, 'haproxy.cfg'), text);
    check(haproxy, ['-c', '-q', '-f', join(folder, 'haproxy.cfg')]);
  });

  it('DEP-3 Caddy takes its file', (context) => {
    const caddy = need(context, 'caddy');
    check(caddy, ['validate', '--adapter', 'caddyfile', '--config', join(deploy, 'proxy/Caddyfile')]);
  });

  it('DEP-3 Prometheus takes scrape and alerts', (context) => {
    const promtool = need(context, 'promtool', 'prometheus');
    check(promtool, ['check', 'rules', join(deploy, 'watch/alerts.yml')]);
    check(promtool, ['check', 'config', '--syntax-only', join(deploy, 'watch/prometheus.yml')]);
  });

  it('DEP-3 docker takes the composition', (context) => {
    const env = { DB_PASSWORD: 'a', REPLICATION_PASSWORD: 'b', SITE_HOST: 'kontor.example.com' };
    if (spawnSync('docker', ['compose', 'version']).status === 0) {
      const docker = { path: 'docker', env: process.env };
      return check(docker, ['compose', '-f', join(deploy, 'compose.yaml'), 'config', '--quiet'], env);
    }
    // Debian's own is older and knows all but the name of the whole.
    const compose = need(context, 'docker-compose');
    const file = join(folder, 'compose.yaml');
    writeFileSync(file, read('compose.yaml').replace(/^name: .*\n/m, ''));
    check(compose, ['-f', file, 'config', '--quiet'], env);
  });
});
