import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong } from '@kontor/testing';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { parseArguments } from '../commands/command.ts';
import { commands } from '../commands/run-command.ts';
import { configKeyNames, environmentName } from '../config/keys.ts';
import { readConfig } from '../config/read-config.ts';
import { selfSigned } from './life/self-signed.ts';
import { parsePrometheus } from './prometheus-text.ts';
import { startTestServer } from './test-server.ts';

const deploy = join(import.meta.dirname, '../../../deploy');
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'kontor-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = readdirSync(deploy, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

/** Skips, and says what is missing, where a program of Debian is not installed. */
function need(context: TestContext, program: string, debianPackage = program): void {
  if (spawnSync('sh', ['-c', `command -v ${program}`]).status === 0) return;
  context.skip(`${program} is not here (Debian: apt-get install ${debianPackage})`);
}

function check(program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect([program, status, status === 0 ? '' : stdout + stderr]).toEqual([program, 0, '']);
}

describe('files to run Kontor with', () => {
  it('DEP-1 name only keys and commands that there are', () => {
    const known = new Set(configKeyNames.map(environmentName));
    const named = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bKONTOR_[A-Z_]+/g)].map(([name]) => name),
    );
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    const lines = read('kontor.ini').replaceAll(/^; /gm, '');
    const reading = { env: {}, cwd: '/', readFile: () => lines };
    expect(readConfig({ ...reading, argv: ['-c', '/kontor.ini'] }).smtpHost).toBe('mail.example.com');
    const calls = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^ExecStart=.*kontor\.mjs (.*)$|CMD \["kontor", "(.*)"\]$/gm)].map(
        ([, unit, image]) => (unit ?? image ?? '').split(/",? "| /),
      ),
    );
    expect(calls.map(([name]) => name).sort()).toEqual(['backup', 'health', 'start']);
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

  it.runIf(isLong)('DEP-3 systemd takes the units', (context) => {
    need(context, 'systemd-analyze', 'systemd');
    const names = readdirSync(join(deploy, 'systemd'));
    for (const name of names) {
      writeFileSync(join(folder, name), read(`systemd/${name}`).replaceAll('/usr/bin/node', process.execPath));
    }
    check('systemd-analyze', ['verify', ...names.map((name) => join(folder, name))]);
  });

  it('DEP-3 bash takes the scripts', () => {
    for (const name of readdirSync(join(deploy, 'postgres'))) check('bash', ['-n', join(deploy, 'postgres', name)]);
  });

  it.runIf(isLong)('DEP-3 nginx takes its configuration', (context) => {
    need(context, 'nginx');
    const { key, cert } = selfSigned();
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key);
    mkdirSync(join(folder, 'logs'));
    const site = read('proxy/nginx.conf')
      .replace(/ssl_certificate .*;/, `ssl_certificate ${join(folder, 'cert.pem')};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${join(folder, 'key.pem')};`);
    const whole = `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${site} }`;
    writeFileSync(join(folder, 'nginx.conf'), whole);
    check('nginx', ['-t', '-q', '-p', folder, '-c', join(folder, 'nginx.conf')]);
  });

  it.runIf(isLong)('DEP-3 Caddy takes its file', (context) => {
    need(context, 'caddy');
    check('caddy', ['validate', '--adapter', 'caddyfile', '--config', join(deploy, 'proxy/Caddyfile')]);
  });

  it.runIf(isLong)('DEP-3 Prometheus takes scrape and alerts', (context) => {
    need(context, 'promtool', 'prometheus');
    check('promtool', ['check', 'rules', join(deploy, 'watch/alerts.yml')]);
    check('promtool', ['check', 'config', '--syntax-only', join(deploy, 'watch/prometheus.yml')]);
  });

  it.runIf(isLong)('DEP-3 docker takes the composition', (context) => {
    if (spawnSync('docker', ['compose', 'version']).status !== 0) context.skip('docker compose is not here');
    const env = { ...process.env, DB_PASSWORD: 'a', REPLICATION_PASSWORD: 'b', SITE_HOST: 'kontor.example.com' };
    execFileSync('docker', ['compose', '-f', join(deploy, 'compose.yaml'), 'config', '--quiet'], { env });
  });
});
