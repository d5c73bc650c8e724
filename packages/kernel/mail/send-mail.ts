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
  const transport = createTransport({
    host: config.smtpHost,
    port: config.smtpPort,
    secure: config.smtpTls === 'tls',
    requireTLS: config.smtpTls === 'starttls',
    ignoreTLS: config.smtpTls === 'none',
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    ...(config.smtpUser === '' ? {} : { auth: { user: config.smtpUser, pass: config.smtpPassword } }),
  });
  try {
    await transport.sendMail({ from: config.smtpFrom, ...mail });
  } finally {
    transport.close();
  }
}
