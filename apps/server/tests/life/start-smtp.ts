import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { selfSigned } from '@kontor/testing';

export interface SmtpProcess {
  /** Addresses of accepted mails, in the order of arrival. */
  readonly accepted: readonly string[];
  /** What a server needs to send through it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function startSmtp(): Promise<SmtpProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-smtp-'));
  const { key, cert } = selfSigned();
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  writeFileSync(keyFile, key);
  writeFileSync(certFile, cert);
  const script = join(import.meta.dirname, 'smtp-process.mjs');
  const child = spawn(process.execPath, [script, keyFile, certFile, 'kontor:s3cret'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const accepted: string[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The mail server did not start.')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [word = '', value = ''] = line.split(' ');
      if (word === 'port') resolve(value);
      if (word === 'accepted') accepted.push(value);
    });
  });
  return {
    accepted,
    env: {
      NODE_EXTRA_CA_CERTS: certFile,
      KONTOR_SMTP_HOST: 'localhost',
      KONTOR_SMTP_PORT: port,
      KONTOR_SMTP_FROM: 'Kontor <kontor@example.com>',
      KONTOR_SMTP_TLS: 'starttls',
      KONTOR_SMTP_USER: 'kontor',
      KONTOR_SMTP_PASSWORD: 's3cret',
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
