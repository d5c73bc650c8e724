import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createThrottle, type Kernel } from '@kontor/kernel';
import { type ClaimedMail, claimMail, extendMail, mailNote, markFailed, markSent, releaseMail } from './mail-queue.ts';
import { mailSettings } from './mail-server.ts';
import { type MailSettings, type MailTimeouts, openTransport } from './send-mail.ts';

export interface MailWorker {
  /** Takes no more mail; what is being sent is waited for. */
  stop(): Promise<void>;
}

const lookMs = 5_000;
const extendMs = 3_000;
const batch = 12;
const connections = 4;
const shortestPauseMs = 5_000;
const longestPauseMs = 300_000;
const stopLimitMs = 5_000;

/** Sends queued mail, while there is a server for it, until it is stopped. */
export function startMail(kernel: Kernel, owner: string, timeouts?: MailTimeouts): MailWorker {
  const { database, log } = kernel;
  const inHand = new Set<number>();
  const onError = (error: unknown) => log.warn({ err: error }, 'mail could not be looked after');
  let server: MailServer | null = null;
  let isStopping = false;
  const sending = createThrottle(work, { spacingMs: 50, onError });
  const looking = setInterval(sending.ask, lookMs);
  const extending = setInterval(() => void extendMail(database, owner, [...inHand]).catch(onError), extendMs);
  const unsubscribe = kernel.on(mailNote, sending.ask);
  sending.ask();

  /** As the settings are now: what administrators changed counts from the next mail on. */
  async function currentServer(): Promise<MailServer | null> {
    const settings = await mailSettings(database, kernel.config);
    if (server && settings && isDeepStrictEqual(server.settings, settings)) return server;
    server?.close();
    server = settings && (await openServer(kernel, owner, settings, timeouts));
    return server;
  }

  async function work(): Promise<void> {
    const current = await currentServer();
    while (!isStopping && current?.isUsable()) {
      const mails = await claimMail(database, owner, batch);
      if (mails.length === 0) return;
      for (const { id } of mails) inHand.add(id);
      try {
        await sendAll(current, [...mails]);
      } finally {
        inHand.clear();
      }
    }
  }

  /** A few at a time. Once the server is known to be down, or the worker stops, the rest is released without a try. */
  async function sendAll(current: MailServer, waiting: ClaimedMail[]): Promise<void> {
    const sendNext = async (): Promise<void> => {
      while (!isStopping && current.isUsable()) {
        const mail = waiting.shift();
        if (!mail) return;
        await current.send(mail);
        inHand.delete(mail.id);
      }
    };
    const senders = await Promise.allSettled(Array.from({ length: connections }, sendNext));
    const left = waiting.map(({ id }) => id);
    await releaseMail(database, owner, left);
    for (const ended of senders) if (ended.status === 'rejected') throw ended.reason;
  }

  return {
    async stop() {
      isStopping = true;
      unsubscribe();
      clearInterval(looking);
      await Promise.race([sending.stop(), pause(stopLimitMs, undefined, { ref: false })]);
      clearInterval(extending);
      server?.close();
    },
  };
}

interface MailServer {
  readonly settings: MailSettings;
  /** False for a while after it could not be used. */
  isUsable(): boolean;
  /** Sends one mail and writes down how that went. */
  send(mail: ClaimedMail): Promise<void>;
  close(): void;
}

async function openServer(
  { database, log }: Kernel,
  owner: string,
  settings: MailSettings,
  timeouts?: MailTimeouts,
): Promise<MailServer> {
  const transport = await openTransport(settings, connections, timeouts);
  let quietUntil = 0;
  let outages = 0;
  const isUsable = (): boolean => Date.now() >= quietUntil;

  async function fail({ id, attempts }: ClaimedMail, error: unknown): Promise<void> {
    const { message, isFinal, isServerAway } = classifyFailure(error, attempts + 1);
    if (isServerAway) pauseForOutage(message);
    if (isFinal) log.warn({ mail: id, reason: message }, 'a mail was given up');
    await markFailed(database, owner, id, { error: message, isFinal, retryAfterMs: retryAfterMs(attempts + 1) });
  }

  function pauseForOutage(reason: string): void {
    if (!isUsable()) return;
    const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** outages++);
    quietUntil = Date.now() + pauseMs;
    log.warn({ reason, pauseMs }, 'the mail server cannot be used; trying again later');
  }

  return {
    settings,
    isUsable,
    async send(mail) {
      const { id, attempts: _attempts, ...content } = mail;
      try {
        await transport.send(content);
      } catch (error) {
        return fail(mail, error);
      }
      outages = 0;
      await markSent(database, owner, id);
    },
    close: () => transport.close(),
  };
}

/** What to do about a mail that the server did not take. */
export interface MailFailure {
  readonly message: string;
  /** It will be refused again, however often it is tried. */
  readonly isFinal: boolean;
  /** Not this mail's fault: the others need not be tried now. */
  readonly isServerAway: boolean;
}

const serverCodes: ReadonlySet<string> = new Set([
  'ECONNECTION',
  'ECONNREFUSED',
  'ECONNRESET',
  'EDNS',
  'ENOTFOUND',
  'EAUTH',
  'ENOAUTH',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
]);
const minuteMs = 60_000;
const longestRetryMs = 240 * minuteMs;
const maxAttempts = 12;

export function classifyFailure(error: unknown, attempts: number): MailFailure {
  const { code, responseCode, message } = describe(error);
  const isServerAway = serverCodes.has(code);
  const isRefused = !isServerAway && responseCode >= 500 && responseCode < 600;
  return { message, isServerAway, isFinal: isRefused || attempts >= maxAttempts };
}

/** One minute, then twice as long each time; over half a day in all before a mail is given up. */
export function retryAfterMs(attempts: number): number {
  return Math.min(longestRetryMs, minuteMs * 2 ** (attempts - 1));
}

function describe(error: unknown): { code: string; responseCode: number; message: string } {
  const { code, responseCode, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    responseCode?: unknown;
    message?: unknown;
  };
  return {
    code: String(code ?? ''),
    responseCode: typeof responseCode === 'number' ? responseCode : 0,
    message: String(message ?? error).slice(0, 1_000),
  };
}
