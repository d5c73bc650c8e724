import type { ImapFlow } from 'imapflow';
import { maxMessageBytes } from '../parse-message.ts';
import { accessToken, type TokenSettings } from './access-token.ts';

export interface ImapSettings {
  readonly host: string;
  readonly port: number;
  readonly tls: 'tls' | 'starttls' | 'none';
  readonly username: string;
  readonly password: string;
  readonly folder: string;
  /** As PEM: the only one that is trusted. */
  readonly certificate?: string;
  /** Instead of the password. */
  readonly token?: TokenSettings;
}

/** How far a folder was fetched. UIDs grow, and are valid as long as UIDVALIDITY is the same. */
export interface Position {
  readonly validity: string;
  readonly uid: number;
}

export interface Fetched {
  readonly uid: number;
  /** When it arrived in the mailbox. */
  readonly at: Date | null;
  readonly raw: Buffer;
}

export interface OpenFolder {
  readonly validity: string;
  /** UIDs after a position, in order; all of them if UIDVALIDITY has changed. Older ones than `since` may be left out. */
  uidsAfter(position: Position | null, since?: Date | null): Promise<readonly number[]>;
  /** Null if it was deleted meanwhile, or arrived before `since`. */
  fetch(uid: number, since?: Date | null): Promise<Fetched | null>;
  /** Settles when the server announces a message, after a while, or when the connection or `signal` ends. */
  wait(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const dayMs = 86_400_000;
/** Some servers announce nothing, and connections die silently. */
const longestWaitMs = 240_000;
/** Of an e-mail over the limit only the beginning is taken; the whole stays in the mailbox. */
const beginning = 1_000_000;

/** Signs in and opens the folder without the right to change it: messages stay unread for other programs. */
export async function openFolder(settings: ImapSettings): Promise<OpenFolder> {
  const client = await connect(settings);
  try {
    const folder = await client.mailboxOpen(settings.folder, { readOnly: true });
    const validity = String(folder.uidValidity);
    return {
      validity,
      async uidsAfter(position, since = null) {
        const last = position?.validity === validity ? position.uid : 0;
        // Servers compare days alone, in a time zone of their own.
        const days = since === null ? {} : { since: new Date(since.getTime() - 2 * dayMs) };
        const found = (await client.search({ uid: `${last + 1}:*`, ...days }, { uid: true })) || [];
        // The last message matches `n:*` even if its UID is lower.
        return found.filter((uid) => uid > last).sort((a, b) => a - b);
      },
      async fetch(uid, since = null) {
        const sized = await client.fetchOne(String(uid), { size: true, internalDate: true }, { uid: true });
        if (!sized) return null;
        const at = sized.internalDate ? new Date(sized.internalDate) : null;
        if (since !== null && at !== null && at < since) return null;
        const maxLength = (sized.size ?? 0) > maxMessageBytes ? beginning : maxMessageBytes;
        const message = await client.fetchOne(String(uid), { source: { maxLength } }, { uid: true });
        const raw = message ? message.source : undefined;
        return raw ? { uid, at, raw } : null;
      },
      wait: (signal) => waitForNews(client, signal),
      close: () => client.logout().catch(() => client.close()),
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

async function connect(settings: ImapSettings): Promise<ImapFlow> {
  const { host, port, tls, username, password, certificate, token } = settings;
  const auth = token ? { user: username, accessToken: await accessToken(token) } : { user: username, pass: password };
  const imapflow = await import('imapflow');
  const client = new imapflow.ImapFlow({
    ...{ host, port, secure: tls === 'tls', doSTARTTLS: tls === 'starttls' },
    auth,
    ...(certificate ? { tls: { ca: certificate } } : {}),
    logger: false,
    disableAutoIdle: true,
    ...{ connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: longestWaitMs + 60_000 },
    maxLiteralSize: maxMessageBytes + 1_000_000,
  });
  // Without a listener an error of the connection would end the process; whoever waits is told by its end.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function waitForNews(client: ImapFlow, signal: AbortSignal): Promise<void> {
  if (signal.aborted || !client.usable) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, longestWaitMs);
    function end(): void {
      clearTimeout(timer);
      client.off('exists', end);
      client.off('close', end);
      signal.removeEventListener('abort', end);
      resolve();
    }
    client.on('exists', end);
    client.on('close', end);
    signal.addEventListener('abort', end);
    // It ends with the next command.
    client.idle().then(end, end);
  });
}
