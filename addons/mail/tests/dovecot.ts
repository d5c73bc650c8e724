import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { DebianProgram } from '@kontor/testing/debian-program';

export interface Dovecot {
  readonly port: number;
  /** Ends all connections. */
  hangUp(): void;
  close(): Promise<void>;
}

/**
 * Dovecot over a socket: each connection has an `imap` process of its own, signed in already, as behind a tunnel. The services around it
 * need a root account and fixed paths.
 */
export async function startDovecot({ path, env }: DebianProgram, folder: string): Promise<Dovecot> {
  // `…/usr/sbin/dovecot`
  const root = path.replace(/usr\/sbin\/dovecot$/, '');
  const libraries = join(root, 'usr/lib/dovecot');
  const config = join(folder, 'dovecot.conf');
  const run = join(folder, 'run');
  mkdirSync(run, { recursive: true, mode: 0o777 });
  const lines = [
    ...[
      'protocols = imap',
      'first_valid_uid = 1',
      `base_dir = ${run}`,
      `mail_plugin_dir = ${join(libraries, 'modules')}`,
    ],
    ...[`mail_location = mbox:${join(folder, 'mail')}:INBOX=${join(folder, 'inbox')}`, 'log_path = /dev/null'],
  ];
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o644 });
  const command = ['-c', config, '-f', 'service=imap', '-m', 'imap', '-e', join(libraries, 'imap')];
  const own = {
    ...{ ...env, USER: 'office', HOME: folder },
    LD_LIBRARY_PATH: [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
  };
  // It refuses to read mail as root.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const child = spawn(join(root, 'usr/bin/doveconf'), command, {
      ...{ cwd: '/', env: own, ...account },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    socket.on('error', () => {});
    child.stdin.on('error', () => {});
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      child.kill('SIGKILL');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    hangUp,
    async close() {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A folder with so many e-mails, which only the account of the server reads. */
export async function fillInbox(folder: string, count: number): Promise<void> {
  if (existsSync(join(folder, 'inbox'))) throw new Error('The folder is filled already.');
  const out = createWriteStream(join(folder, 'inbox'), { mode: 0o666 });
  for (let n = 1; n <= count; n++) {
    const mail = `From p${n}@customer.test Wed Nov 18 10:00:00 2026\nFrom: p${n}@customer.test\nTo: office@kontor.test\nMessage-ID: <d${n}@customer.test>\nSubject: ${n}\n\nHello ${n}\n\n`;
    if (!out.write(mail)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}
