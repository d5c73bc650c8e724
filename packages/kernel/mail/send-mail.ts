import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function hasMail(config: Config): boolean {
  return config.smtpHost !== '' && config.smtpFrom !== '';
}

/** Hands one mail to the configured server, or throws what it said. */
export async function sendMail(config: Config, mail: Mail): Promise<void> {
  const transport = openTransport(config, 1);
  try {
    await transport.send(mail);
  } finally {
    transport.close();
  }
}

export interface MailTransport {
  /** Settles when the server has accepted the mail. `key` makes its Message-ID, so that a repeated one can be told. */
  send(mail: Mail & { readonly key?: string }): Promise<void>;
  close(): void;
}

/** A server that lets a mail trickle for longer than this is given up on. */
const patienceMs = 60_000;

/** Connections to the configured server that are kept open between mails. */
export function openTransport(config: Config, maxConnections: number): MailTransport {
  const transport = createTransport({
    pool: true,
    maxConnections,
    maxMessages: 100,
    host: config.smtpHost,
    port: config.smtpPort,
    secure: config.smtpTls === 'tls',
    requireTLS: config.smtpTls === 'starttls',
    ignoreTLS: config.smtpTls === 'none',
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    ...(config.smtpUser === '' ? {} : { auth: { user: config.smtpUser, pass: config.smtpPassword } }),
  });
  return {
    async send({ key, ...mail }) {
      const messageId = key && `<${key}@${domainOf(config.smtpFrom)}>`;
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new MailTimeout()), patienceMs);
      });
      try {
        await Promise.race([transport.sendMail({ from: config.smtpFrom, messageId, ...mail }), tooLong]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
}

function domainOf(sender: string): string {
  return /@([^\s<>@]+)>?$/.exec(sender)?.[1] ?? 'localhost';
}

class MailTimeout extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The mail server took too long.');
  }
}
