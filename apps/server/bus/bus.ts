import { gapChannel, innerChannels, type Kernel } from '@kontor/kernel';
import { eventsPart, findLiveSessions, gapEvent, type PublishedEvent } from '@kontor/parts';
import { busCloseCodes, queue } from '@kontor/protocol';
import { type Audiences, createAudiences, deliver } from './audiences.ts';
import { type BusClient, type BusSocket, createBusClient } from './bus-client.ts';
import { createWatching, isRecordRef, readWatch } from './watching.ts';
import { createWriteLine } from './write-line.ts';

/** The sockets of this process. */
export interface Bus {
  /** Settles once events are followed, so that a socket opened after it misses none. */
  ready(): Promise<void>;
  add(socket: BusSocket): void;
  /** Sockets that one session has open. */
  countOf(sessionId: number): number;
  close(): Promise<void>;
}

export interface BusOptions {
  readonly pingMs?: number;
}

const inner: ReadonlySet<string> = new Set(Object.values(innerChannels));

/** Follows events while there are clients, and sends each client what its user may receive. */
// Over 60 lines: the functions share the clients, the order of events and what was missed.
export function createBus(kernel: Kernel, { pingMs = 30_000 }: BusOptions = {}): Bus {
  const { log } = kernel;
  const clients = new Set<BusClient>();
  const audiences = createAudiences();
  const line = createWriteLine();
  const watching = createWatching(kernel, clients);
  const work = queue();
  const following = createFollowing(kernel, onEvents);
  const beating = setInterval(beat, pingMs).unref();
  const stopListening = kernel.on('rights', () => inOrder(() => check(() => true)));

  let hasMissed = false;

  /** Events that could not be sent are lost; clients are told to reload as soon as possible. */
  function inOrder(task: () => Promise<void>): void {
    work.run(task).catch((error: unknown) => {
      hasMissed = true;
      log.warn({ err: error }, 'the bus could not tell something');
    });
  }

  function tellMissed(): void {
    if (!hasMissed) return;
    hasMissed = false;
    inOrder(() => deliver(kernel, audiences, [gapEvent]));
  }

  const check = (isMeant: (client: BusClient) => boolean): Promise<void> =>
    checkSessions(kernel, clients, audiences, isMeant);

  function onEvents(events: readonly PublishedEvent[]): void {
    if (events.some(({ channel }) => channel === gapChannel)) {
      inOrder(() => check(() => true));
      watching.refresh();
    } else tellMissed();
    const outer = events.filter(({ channel }) => !inner.has(channel));
    if (outer.length > 0) inOrder(() => deliver(kernel, audiences, outer));
    const sessions = payloadsOf(events, innerChannels.session).map(({ session }) => session);
    if (sessions.length > 0) inOrder(() => check((client) => sessions.includes(client.sessionId)));
    for (const record of payloadsOf(events, innerChannels.presence)) if (isRecordRef(record)) watching.tell(record);
  }

  function beat(): void {
    if (clients.size === 0) {
      following.stopUnlessAwaited();
      return;
    }
    for (const client of clients) client.ping();
    tellMissed();
    inOrder(() => check(() => true));
    watching.refresh();
  }

  return {
    ready: following.start,
    add(opened) {
      const client = createBusClient(opened, line);
      clients.add(client);
      audiences.add(client);
      opened.socket.on('close', () => {
        clients.delete(client);
        audiences.remove(client);
        client.forget();
        watching.leave(client);
      });
      opened.socket.on('message', (data, isBinary) => {
        const records = isBinary ? null : readWatch(String(data));
        if (records) watching.show(client, records);
      });
    },
    countOf: (sessionId) => [...clients].filter((client) => client.sessionId === sessionId).length,
    async close() {
      clearInterval(beating);
      stopListening();
      for (const client of clients) client.close(busCloseCodes.shutdown, 'the server is stopping');
      following.stop();
      await work.idle();
      await watching.close();
    },
  };
}

interface Following {
  /** Settles once events come. */
  start(): Promise<void>;
  stop(): void;
  /** Not right after a start: a client may be between its request and its admission. */
  stopUnlessAwaited(): void;
}

function createFollowing(kernel: Kernel, onEvents: (events: readonly PublishedEvent[]) => void): Following {
  let following: Promise<() => void> | null = null;
  let isAwaited = false;

  function stop(): void {
    const stopping = following;
    following = null;
    void stopping?.then((unsubscribe) => unsubscribe());
  }

  return {
    async start() {
      isAwaited = true;
      following ??= kernel.service(eventsPart).subscribe(onEvents);
      await following.catch((error: unknown) => {
        following = null;
        throw error;
      });
    },
    stop,
    stopUnlessAwaited() {
      if (!isAwaited) stop();
      isAwaited = false;
    },
  };
}

/** Closes the clients whose session has ended; the others get their current rights. */
async function checkSessions(
  { database, config, actor: actorOf }: Kernel,
  clients: ReadonlySet<BusClient>,
  audiences: Audiences,
  isMeant: (client: BusClient) => boolean,
): Promise<void> {
  const meant = [...clients].filter(isMeant);
  if (meant.length === 0) return;
  const limits = { idleMinutes: config.sessionIdleMinutes, maxDays: config.sessionMaxDays };
  const live = await findLiveSessions(database, [...new Set(meant.map(({ sessionId }) => sessionId))], limits);
  for (const client of meant) {
    const session = live.get(client.sessionId);
    const actor = session && (await actorOf(session.uid, session.companyId, session.shownCompanyIds));
    if (!clients.has(client)) continue;
    if (!actor) client.close(busCloseCodes.sessionEnded, 'the session has ended');
    else {
      audiences.remove(client);
      client.actor = actor;
      audiences.add(client);
    }
  }
}

function payloadsOf(events: readonly PublishedEvent[], channel: string): readonly PublishedEvent['payload'][] {
  return events.filter((event) => event.channel === channel).map(({ payload }) => payload);
}
