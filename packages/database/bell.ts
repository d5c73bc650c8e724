import { type KeptConnection, keepConnected } from './keep-connected.ts';
import type { ConnectionConfig } from './pool/parse-dsn.ts';
import { compile, ident, sql } from './sql/sql.ts';

export interface Bell {
  /**
   * Notifies every listener, including this process: at once after a pause, otherwise batched with all other calls of
   * some milliseconds.
   */
  ring(): void;
  readonly isListening: boolean;
  /** Settles once it is listening. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface BellLog {
  warn(message: string): void;
}

type OnRing = (isNewConnection: boolean, isOwn: boolean) => void;

const sendAgainMs = 1_000;
/** Minimum interval between notifications of other processes. */
const spacingMs = 10;
/** Notifies this process directly, without the database, which costs next to nothing. */
const ownSpacingMs = 5;

/**
 * Listens on a channel and rings it, outside any transaction: NOTIFY inside one serializes commits. It carries no data; a listener
 * reads what is new. After every (re)connect `onRing` is called once with true, because signals may have been missed.
 */
export function createBell(
  config: ConnectionConfig,
  channel: string,
  onRing: OnRing,
  log: BellLog,
  /** Notifies listeners of this process directly, without the round trip through the database. */
  onOwnRing: () => void = () => {},
): Bell {
  let waiting: (() => void)[] = [];
  const connection = keepConnected({
    config,
    greeting: compile(sql`listen ${ident(channel)}`).text,
    onUp: () => {
      hear(() => onRing(true, false));
      sender.flush();
      for (const tell of waiting.splice(0)) tell();
    },
    onNotification: (heard, isOwn) => {
      if (heard === channel) hear(() => onRing(false, isOwn));
    },
    onDown: (reason) => log.warn(`The event bell is not connected (${reason}); trying again.`),
  });
  const sender = createSender(connection, compile(sql`notify ${ident(channel)}`).text);
  const own = createSpacing(() => hear(onOwnRing));

  function hear(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      log.warn(`Answering the event bell failed: ${(error as Error).message}`);
    }
  }

  return {
    ring() {
      if (connection.isUp) own.ask();
      sender.send();
    },
    get isListening() {
      return connection.isUp;
    },
    ready: () => (connection.isUp ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    async close() {
      waiting = [];
      own.stop();
      await sender.settled();
      await connection.close();
    },
  };
}

/** Runs at once after a pause; requests in the meantime become one run after it. */
function createSpacing(run: () => void): { ask(): void; stop(): void } {
  let isWanted = false;
  let resting: NodeJS.Timeout | undefined;

  function begin(): void {
    resting = undefined;
    if (!isWanted) return;
    isWanted = false;
    resting = setTimeout(begin, ownSpacingMs);
    run();
  }

  return {
    ask() {
      isWanted = true;
      if (!resting) begin();
    },
    stop: () => clearTimeout(resting),
  };
}

interface Sender {
  send(): void;
  /** Sends the signals that were raised without a connection. */
  flush(): void;
  settled(): Promise<void>;
}

function createSender(connection: KeptConnection, notify: string): Sender {
  let isWanted = false;
  let inFlight: Promise<void> | null = null;
  let resting: NodeJS.Timeout | null = null;

  function flush(): void {
    if (!isWanted || inFlight || resting || !connection.isUp) return;
    isWanted = false;
    inFlight = connection.query(notify).then(succeed, fail);
  }

  function succeed(): void {
    inFlight = null;
    resting = setTimeout(endRest, spacingMs);
  }

  function endRest(): void {
    if (resting) clearTimeout(resting);
    resting = null;
    flush();
  }

  function fail(): void {
    inFlight = null;
    isWanted = true;
    // Not at once: a connection that just died fails synchronously, within the same turn of the event loop.
    setTimeout(flush, sendAgainMs).unref();
  }

  return {
    send() {
      isWanted = true;
      flush();
    },
    flush,
    async settled() {
      await inFlight;
      endRest();
      await inFlight;
      endRest();
    },
  };
}
