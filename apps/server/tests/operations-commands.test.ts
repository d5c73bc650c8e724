import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, isLong } from '@kontor/testing';
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

const path = `${machine}/stubs:${machine}/usr/local/bin:${join(process.execPath, '..')}:/usr/bin:/bin`;
const place = { cwd: machine, env: { PATH: path } };
const person = { email: 'ada@example.com', password: 'correct horse battery' };

/** The places of the machine are under its folder. */
function onMachine(commands: string): string {
  return commands.replaceAll(/(?<![\w.$])\/(opt|etc|usr\/local|var\/lib|srv)\//g, `${machine}/$1/`);
}

/** Runs commands as written, with the programs of the machine on the path. */
function run(commands: string): void {
  execFileSync('bash', ['-euo', 'pipefail', '-c', onMachine(commands)], { ...place, stdio: 'pipe' });
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

/** Runs a command that starts a server, and signs in to it as the person who was set up before. */
async function serve(command: string, port: number): Promise<void> {
  const server = spawn('bash', ['-c', onMachine(`exec ${command} -p ${port}`)], { ...place, stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('close', resolve));
  onTestFinished(() => void server.kill('SIGKILL'));
  run(`until kontor health --ready -p ${port}; do sleep 1; done`);
  await new Browser(`http://127.0.0.1:${port}`).signIn(person.email, person.password);
  server.kill('SIGTERM');
  await ended;
}

describe.runIf(isLong)('the page for operators', () => {
  it('OPS-15 is followed word by word from a tarball to a server, backups, the next version, a restore and a move to another server', async () => {
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
    const form = { company_name: 'N', admin_name: 'Ada', ...person };
    const browser = new Browser(`http://127.0.0.1:${port}`);
    expect((await browser.json('/setup/init', form)).status).toBe(200);

    const backups = commandsAfter('it only blocks changes of modules:');
    run(backups.replaceAll(/^(kontor backup [^#\n]*?)\s*(#.*)?$/gm, '$1 -c /etc/kontor/kontor.ini; sleep 1'));
    expect(readdirSync(join(machine, 'srv/backups'))).toHaveLength(2);

    run(commandsAfter('two checks\\.').replace('8080 8081', String(port)));
    expect(readFileSync(join(machine, 'systemctl.log'), 'utf8')).toContain(`restart kontor@${port}`);
    run('kontor check --config /etc/kontor/kontor.ini');
    run('kontor leftovers --config /etc/kontor/kontor.ini');
    const nightly = commandsAfter('Every night, deleting backups after 30 days:');
    run(nightly.replace(/^15 3 \* \* \* +kontor +/, 'sleep 1; '));
    expect(readdirSync(join(machine, 'srv/backups'))).toHaveLength(3);
    server.kill('SIGTERM');
    expect(await ended).toBe(0);

    const [plain = ''] = readdirSync(join(machine, 'srv/backups')).sort();
    const restore = commandsAfter('while Kontor is stopped:').replaceAll(
      /(?<= )kontor\.backup/g,
      `/srv/backups/${plain}`,
    );
    const [check = '', load = '', begin = ''] = restore.trim().split('\n');
    run(`${check}\n${load}`);
    await serve(begin, port);

    const moved = await createTestDatabase();
    onTestFinished(() => moved.drop());
    const move = commandsAfter('stop Kontor, and run:').replace(/postgres:\S+/, `'${moved.dsn}'`);
    run(move);
    expect(() => run(`${begin} -p ${port}`)).toThrow(/moved/);
    await serve(`kontor start -d '${moved.dsn}'`, port);
  }, 600_000);
});
