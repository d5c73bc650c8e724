import { Readable } from 'node:stream';
import type { Config } from '@kontor/kernel';
import { isInFormat } from '@kontor/protocol';
import type MailMessage from 'nodemailer/lib/mailer/mail-message';

export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
  /** A picture that the HTML shows as `cid:…`; it is not listed as a file. */
  readonly cid?: string;
  /** A calendar file that the recipient's calendar reads (RFC 6047): it is also another form of the text. */
  readonly calendarMethod?: 'REQUEST' | 'REPLY' | 'CANCEL';
}

/**
 * Whether a text is a single plain address: no name, no list, nothing that a mail program would parse differently.
 * ```ts
 * export const canGetMail = (email: string | null) => isMailAddress(email ?? '');
 * ```
 */
export function isMailAddress(text: string): boolean {
  return isInFormat('email', text);
}

/** Signs the e-mails of a domain (RFC 6376). */
export interface DkimKey {
  readonly domainName: string;
  readonly keySelector: string;
  readonly privateKey: string;
}

export interface Mail {
  readonly to: string;
  /** The sender, if it is not that of the mail server. */
  readonly from?: { readonly name: string; readonly address: string };
  readonly dkim?: DkimKey;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The reply address, if it is not the sender. */
  readonly replyTo?: string;
  readonly attachments?: readonly MailAttachment[];
  /** Makes its Message-ID, so that a repeated mail and answers to it are recognised; random by default. */
  readonly key?: string;
  /** It is not sent before this time (ISO 8601). Until then `takeBackMail` and `moveMail` find it by its key. */
  readonly at?: string;
  /** All recipients, each of whom gets a mail of their own: everybody sees who else has it. */
  readonly toAll?: readonly string[];
  /** Everybody who gets a copy, each by a mail of their own. */
  readonly ccAll?: readonly string[];
  /** The Message-ID of the e-mail that it answers, without angle brackets. */
  readonly answers?: string;
  /** The address that ends e-mails like this one with a post (RFC 8058). */
  readonly unsubscribe?: string;
  /** A notification: it is sent only if this user may still read the record. */
  readonly reader?: { readonly userId: number; readonly model: string; readonly id: number };
}

/** How to reach a mail server, with the names of the configuration. */
export type MailSettings = Pick<Config, 'smtpHost' | 'smtpPort' | 'smtpUser' | 'smtpPassword' | 'smtpFrom' | 'smtpTls'>;

/** Sends one mail to a server, or throws the server's error. */
export async function sendMail(config: MailSettings, mail: Mail): Promise<void> {
  const transport = await openTransport(config, 1);
  try {
    await transport.send(mail);
  } finally {
    transport.close();
  }
}

export interface MailTransport {
  /**
   * Settles when the server has accepted the mail. `key` makes its Message-ID, so that a repeated mail can be recognized.
   * `beforeContent` runs when the server is ready for the content, before its first byte; if it fails, nothing is sent. Throws
   * `UnclearEnd` when the server was given everything and did not say what became of it.
   */
  send(mail: Mail, beforeContent?: () => Promise<void>): Promise<void>;
  close(): void;
}

/** How long to wait for a mail server, in milliseconds. */
export interface MailTimeouts {
  readonly connectMs: number;
  /** Between two responses. */
  readonly silenceMs: number;
  /** For a whole mail, however slowly it is sent. */
  readonly mailMs: number;
}
const usualTimeouts: MailTimeouts = { connectMs: 10_000, silenceMs: 20_000, mailMs: 60_000 };

/** Connections to a server that stay open between mails. */
export async function openTransport(
  config: MailSettings,
  maxConnections: number,
  timeouts = usualTimeouts,
): Promise<MailTransport> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    pool: true,
    maxConnections,
    maxMessages: 100,
    host: config.smtpHost,
    port: config.smtpPort,
    secure: config.smtpTls === 'tls',
    requireTLS: config.smtpTls === 'starttls',
    ignoreTLS: config.smtpTls === 'none',
    dnsTimeout: timeouts.connectMs,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    socketTimeout: timeouts.silenceMs,
    ...(config.smtpUser === '' ? {} : { auth: { user: config.smtpUser, pass: config.smtpPassword } }),
  });
  transport.use('stream', watchContent);
  return {
    async send(mail, beforeContent = async () => {}) {
      const handover: Handover = { isGivenUp: false, isWhole: false, before: beforeContent };
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new MailTimeout()), timeouts.mailMs);
      });
      try {
        const message = { ...messageOf(config.smtpFrom, mail), handover };
        await Promise.race([transport.sendMail(message), tooLong]);
      } catch (error) {
        handover.isGivenUp = true;
        const isAnswered = typeof (error as { responseCode?: unknown }).responseCode === 'number';
        if (handover.isWhole && !isAnswered) throw new UnclearEnd(error);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
}

/** A mail as Nodemailer takes it. An address object is used as it is; a text would be split at commas. */
function messageOf(from: string, { at: _at, reader: _reader, ...given }: Mail) {
  const { key, attachments = [], toAll, ccAll = [], answers, unsubscribe, ...mail } = given;
  const messageId = key && `<${key}@${domainOf(from)}>`;
  const to = (toAll ?? [mail.to]).map((address) => ({ name: '', address }));
  const cc = ccAll.map((address) => ({ name: '', address }));
  const envelope = { from, to: { name: '', address: mail.to } };
  const answered = answers && isMessageId(answers) ? { inReplyTo: `<${answers}>`, references: `<${answers}>` } : {};
  const files = attachments.map(({ content, calendarMethod: _method, ...file }) => ({
    ...file,
    ...(file.cid ? { contentDisposition: 'inline' as const } : {}),
    content: Buffer.from(content),
  }));
  const alternatives = attachments.flatMap(({ content, calendarMethod: method }) =>
    method ? { contentType: `text/calendar; charset=utf-8; method=${method}`, content: Buffer.from(content) } : [],
  );
  return {
    from,
    messageId,
    ...mail,
    ...answered,
    ...unsubscribeHeaders(unsubscribe),
    to,
    ...(cc.length > 0 ? { cc } : {}),
    envelope,
    alternatives,
    attachments: files,
  };
}

/** The delivery state of one mail's content. */
interface Handover {
  /** Nobody is waiting any more: the content must not be completed. */
  isGivenUp: boolean;
  /** The server has received all of it. */
  isWhole: boolean;
  readonly before: () => Promise<void>;
}

/** Nodemailer reads the content once the server has asked for it (354 after DATA). */
function watchContent(mail: MailMessage, done: (error?: Error | null) => void): void {
  const { handover } = mail.data as { readonly handover?: Handover };
  const { message } = mail;
  const open = message.createReadStream.bind(message);
  message.createReadStream = (options) => Readable.from(contentOf(open(options), handover), { objectMode: false });
  done();
}

async function* contentOf(content: AsyncIterable<unknown>, handover: Handover | undefined): AsyncGenerator<unknown> {
  await handover?.before();
  for await (const chunk of content) {
    if (handover?.isGivenUp) throw new Error('The mail was given up while it was sent.');
    yield chunk;
  }
  if (handover) handover.isWhole = true;
}

/** The server received all of a mail, and then the connection ended or it did not answer. */
export class UnclearEnd extends Error {
  readonly code = 'ETIMEDOUT';
  constructor(cause: unknown) {
    super(
      `The mail server was given the whole mail and did not confirm it (${cause instanceof Error ? cause.message : cause}).`,
    );
  }
}

/** Mail programs show a button of their own for it, which posts without opening a page. Anything but one address could begin another header. */
function unsubscribeHeaders(address: string | undefined) {
  if (!address || !/^https?:\/\/[\x21-\x2b\x2d-\x3b\x3d\x3f-\x7e]{1,1000}$/.test(address)) return {};
  return {
    headers: {
      'List-Unsubscribe': { prepared: true, value: `<${address}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      Precedence: 'bulk',
    },
  };
}

/** One token: anything else could begin another header. */
function isMessageId(text: string): boolean {
  return text.length <= 500 && /^[\x21-\x7e]+$/.test(text) && !/[<>]/.test(text);
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
