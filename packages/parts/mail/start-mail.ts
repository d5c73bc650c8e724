import { isDeepStrictEqual } from 'node:util';
import { defineQueue, type Kernel, type Queue, type QueueRow } from '@kontor/kernel';
import { type RunningQueue, startQueue } from '../queue/start-queue.ts';
import { forgetContent, readMail, recordHandover, type WaitingMail, withdrawContent } from './mail-queue.ts';
import { mailSettings } from './mail-server.ts';
import { mayStillRead } from './may-still-read.ts';
import { type MailSettings, type MailTimeouts, openTransport, UnclearEnd } from './send-mail.ts';
import { dkimKeyOf } from './sender-of.ts';

export type MailWorker = Pick<RunningQueue, 'stop'>;

const connections = 4;
const shortestPauseMs = 5_000;
const longestPauseMs = 300_000;

/** The queue of outgoing mail, with the states of its model. */
export const mailQueueTable = {
  name: 'mail',
  model: 'mail.queue',
  states: { waiting: 'queued', running: 'sending', again: 'queued', done: 'sent', dead: 'dead' },
  handover: { field: 'handed_at', unclear: 'unclear' },
} as const;

/** Sends queued mail, while there is a server for it, until it is stopped. */
export function startMail(kernel: Kernel, owner: string, timeouts?: MailTimeouts): MailWorker {
  const { database } = kernel;
  let server: MailServer | null = null;

  /** Uses the current settings: changes by administrators apply from the next mail on. */
  async function currentServer(): Promise<MailServer | null> {
    const settings = await mailSettings(database, kernel.config);
    if (server && settings && isDeepStrictEqual(server.settings, settings)) return server;
    server?.close();
    server = settings && (await openServer(kernel, settings, timeouts));
    return server;
  }

  const queue = mailQueueOn(kernel, { find: currentServer, known: () => server });
  const running = startQueue(kernel, queue, { owner, hearsBell: false });
  return {
    async stop() {
      await running.stop();
      server?.close();
    },
  };
}

/** While the server is known to be down no mail is claimed, so that the others lose no try. */
function mailQueueOn(
  kernel: Kernel,
  servers: { find(): Promise<MailServer | null>; known(): MailServer | null },
): Queue {
  return defineQueue<MailTry, MailFailure | null | 'withdrawn'>({
    ...mailQueueTable,
    room: { perProcess: connections },
    leaseSeconds: 10,
    tries: { most: 12, waitMs: retryAfterMs },
    due: async () => ((await servers.find())?.isUsable() ? [] : null),
    async prepare(env, row) {
      const [read, server] = [await readMail(env.db, row.id), servers.known()];
      if (!read || !server?.isUsable()) return { is: 'left' };
      const dkim = await dkimKeyOf(env.db, read.from?.address ?? server.settings.smtpFrom);
      return { work: { mail: dkim ? { ...read, dkim } : read, server, row } };
    },
    async run({ mail, server, row }) {
      if (mail.reader && !(await mayStillRead(kernel, mail.reader))) return 'withdrawn';
      return server.send(mail, () => recordHandover(kernel.database, row));
    },
    async end(env, { id }, failure) {
      if (failure === 'withdrawn') {
        await withdrawContent(env.db, id);
        return { is: 'done', state: 'withdrawn' };
      }
      if (failure?.isUnclear) return { is: 'dead', state: 'unclear', error: failure.message };
      if (failure) return { is: failure.isFinal ? 'dead' : 'again', error: failure.message };
      await forgetContent(env.db, id);
      return { is: 'done' };
    },
  });
}

interface MailTry {
  readonly mail: WaitingMail;
  readonly server: MailServer;
  readonly row: QueueRow;
}

interface MailServer {
  readonly settings: MailSettings;
  /** False for a while after a failure. */
  isUsable(): boolean;
  /** Sends one mail; null if the server accepted it. `beforeContent` runs when the server is ready for its content. */
  send(mail: WaitingMail, beforeContent: () => Promise<void>): Promise<MailFailure | null>;
  close(): void;
}

async function openServer({ log }: Kernel, settings: MailSettings, timeouts?: MailTimeouts): Promise<MailServer> {
  const transport = await openTransport(settings, connections, timeouts);
  let quietUntil = 0;
  let outages = 0;
  const isUsable = (): boolean => Date.now() >= quietUntil;

  function pauseForOutage(reason: string): void {
    if (!isUsable()) return;
    const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** outages++);
    quietUntil = Date.now() + pauseMs;
    log.warn({ reason, pauseMs }, 'the mail server cannot be used; trying again later');
  }

  return {
    settings,
    isUsable,
    async send(mail, beforeContent) {
      try {
        await transport.send(mail, beforeContent);
      } catch (error) {
        const failure = classifyFailure(error);
        if (failure.isServerAway) pauseForOutage(failure.message);
        return failure;
      }
      outages = 0;
      return null;
    },
    close: () => transport.close(),
  };
}

/** What to do about a mail that the server did not accept. */
export interface MailFailure {
  readonly message: string;
  /** It will be rejected again, however often it is tried. */
  readonly isFinal: boolean;
  /** Not this mail's fault: others need not be tried now. */
  readonly isServerAway: boolean;
  /** The server received all of it and did not answer: it may have it. */
  readonly isUnclear: boolean;
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

export function classifyFailure(error: unknown): MailFailure {
  const { code, responseCode, message } = describe(error);
  const isServerAway = serverCodes.has(code);
  const isRefused = !isServerAway && responseCode >= 500 && responseCode < 600;
  return { message, isServerAway, isFinal: isRefused, isUnclear: error instanceof UnclearEnd };
}

/** One minute, doubled each time; over half a day in total before a mail is given up. */
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
