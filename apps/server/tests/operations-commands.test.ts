import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong } from '@kontor/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePorts } from './balancer.ts';
import { Browser } from './browser.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Stands for the root of the machine: the page names places under it. */
const machine = mkdtempSync(join(tmpdir(), 'kontor-machine-'));
chmodSync(machine, 0o755);
afterAll(() => rmSync(machine, { recursive: true, force: true }));

const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');

/** The commands under a line of the page. */
function commandsAfter(line: string): string {
  const [, block] = new RegExp(`${line}[\\s\\S]*?\\n\`\`\`\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (block === undefined) throw new Error(`The page has no commands after "${line}".`);
  return block;
}

/** Runs commands as written, with the places of the machine under its folder and its programs on the path. */
function run(commands: string): void {
  const script = commands.replaceAll(/(?<![\w.$])\/(opt|etc|usr\/local|var\/lib|srv)\//g, `${machine}/$1/`);
  const path = `${machine}/stubs:${machine}/usr/local/bin:${join(process.execPath, '..')}:/usr/bin:/bin`;
  execFileSync('bash', ['-euo', 'pipefail', '-c', script], { cwd: machine, env: { PATH: path }, stdio: 'pipe' });
}

/** Programs that would change this machine; the account is that of everybody else. */
function writeStubs(): void {
  mkdirSync(join(machine, 'stubs'));
  const stub = (name: string, text: string) => {
    writeFileSync(join(machine, 'stubs', name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
  };
  for (const name of ['useradd', 'journalctl']) stub(name, 'exit 0');
  stub('systemctl', `echo "$*" >> ${machine}/systemctl.log`);
  stub('install', 'exec /usr/bin/install $(sed "s/ kontor / root /g" <<< "$*")');
}

describe.runIf(isLong)('the page for operators', () => {
  it('OPS-15 is followed word by word from a tarball to a server, a backup and the next version', async () => {
    writeStubs();
    for (const folder of ['usr/local/bin', 'etc/systemd/system', 'var/lib/kontor', 'srv/backups']) {
      mkdirSync(join(machine, folder), { recursive: true });
    }
    execFileSync('npm', ['pack', '--pack-destination', machine], { cwd: root, stdio: 'ignore' });
    run(commandsAfter('With systemd, from scratch:'));
    const modeOf = (path: string) => (statSync(join(machine, path)).mode & 0o777).toString(8);
    expect([modeOf('etc/kontor/kontor.ini'), modeOf('etc/kontor/passphrase')]).toEqual(['640', '600']);
    expect(modeOf('etc/systemd/system/kontor.service')).toBe('644');
    expect(readFileSync(join(machine, 'systemctl.log'), 'utf8')).toContain('enable --now kontor kontor-backup.timer');
    expect(readdirSync(join(machine, 'etc/systemd/system'))).toContain('kontor@.service');

    const [port = 0] = await freePorts(1);
    const ini = join(machine, 'etc/kontor/kontor.ini');
    const text = readFileSync(ini, 'utf8').replace('/var/lib', `${machine}/var/lib`).replace('8080', String(port));
    writeFileSync(ini, text.replace(/^trusted_proxies.*\n/m, ''));
    const unit = readFileSync(join(machine, 'etc/systemd/system/kontor.service'), 'utf8');
    const [, ...words] = (/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '').split(' ');
    const argv = words.map((word) => word.replace(/^\/(opt|etc)\//, `${machine}/$1/`));
    const server = spawn(process.execPath, argv, { cwd: join(machine, 'var/lib/kontor'), stdio: 'ignore' });
    onTestFinished(() => void server.kill('SIGKILL'));
    const ended = new Promise<number | null>((resolve) => server.once('close', resolve));
    const health = `until kontor health --ready -p ${port}; do sleep 1; done`;
    run(health);
    const form = { company_name: 'N', admin_name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };
    const browser = new Browser(`http://127.0.0.1:${port}`);
    expect((await browser.json('/setup/init', form)).status).toBe(200);

    const backups = commandsAfter('it only blocks changes of modules:');
    run(backups.replaceAll(/^(kontor backup [^#\n]*?)\s*(#.*)?$/gm, '$1 -c /etc/kontor/kontor.ini; sleep 1'));
    expect(readdirSync(join(machine, 'srv/backups'))).toHaveLength(2);

    run(commandsAfter('two checks\\.').replace('8080 8081', String(port)));
    expect(readFileSync(join(machine, 'systemctl.log'), 'utf8')).toContain(`restart kontor@${port}`);
    run('kontor check --config /etc/kontor/kontor.ini');
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
  }, 600_000);
});
