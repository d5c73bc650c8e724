import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { ConnectionConfig } from '@kontor/database';
import type { Config } from '@kontor/kernel';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { createLog, reopenOnHangup } from '../logging/create-log.ts';
import type { StartingDatabase } from '../start-database.ts';
import { type PeerMessage, workerEnvironment } from './peers.ts';

/** The pause before a worker is replaced, by the number of recent exits. */
const pausesMs = [100, 500, 2_000, 5_000, 15_000];
/** A worker that ran this long counts as a new failure. */
const steadyMs = 60_000;
/** A stop of one process takes ten seconds, plus its drain time. */
const stopMs = 12_000;
const embeddedMs = 1_500;
/** A worker that is too busy to answer is left out of the metrics. */
const metricsMs = 2_000;

/**
 * Runs several processes behind one listener. Each is a complete server that shares only PostgreSQL with the others;
 * the supervisor owns the listener and the embedded database, and replaces a process that exits. Returns the address
 * once all of them are ready.
 */
export async function supervise(config: Config, begun: StartingDatabase | null): Promise<string | null> {
  const log = createLog(config);
  begun?.tellTo(log);
  const embedded = (await begun?.server) ?? null;
  const port = config.httpPort || (await freePort(config.httpInterface));
  const workers = openWorkers({ ...config, httpPort: port }, log, embedded?.connection ?? null);
  const close = async (code: number): Promise<void> => {
    await workers.stop();
    await embedded?.stop(embeddedMs);
    log.flush();
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close(0));
  reopenOnHangup(log, { also: workers.hangUp, onTerminal: () => void close(0) });
  const address = await workers.start();
  if (address === null) {
    await close(1);
    return null;
  }
  console.log(`Kontor is ready: ${address}`);
  return address;
}

/** All workers must agree on one, including those that are started later. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface Workers {
  /** Starts all of them; null if one cannot start, which has reported why. */
  start(): Promise<string | null>;
  hangUp(): void;
  stop(): Promise<void>;
}

// Over 60 lines: the functions share the running workers and how often they died.
function openWorkers(config: Config, log: Logger, embedded: ConnectionConfig | null): Workers {
  const running = new Set<Worker>();
  let isStopping = false;
  let deaths = 0;
  const metrics = supervisorMetrics(() => running.size);
  const database = embedded ? { KONTOR_DB_DSN: dsnOf(embedded) } : {};
  cluster.setupPrimary({ exec: process.argv[1] as string, args: process.argv.slice(2) });

  /** Returns the address of a new worker; null if it exited first. */
  async function fork(isFirst: boolean): Promise<string | null> {
    const worker = cluster.fork({ ...database, ...workerEnvironment(isFirst, config.httpPort) });
    const began = Date.now();
    running.add(worker);
    closeUntaken(worker);
    const ended = once(worker, 'exit').then(([code, signal]) => {
      running.delete(worker);
      return { code: code as number | null, signal: signal as string | null };
    });
    const ready = new Promise<string>((resolve) => {
      worker.on('message', (message: PeerMessage) => {
        if (message.kind === 'ready') resolve(message.address);
        if (message.kind === 'metrics?') void answerWorker(worker, message.id);
      });
    });
    const address = await Promise.race([ready, ended.then(() => null)]);
    if (address !== null) void ended.then((end) => replace(worker, end, Date.now() - began));
    return address;
  }

  async function replace(worker: Worker, end: object, livedMs: number): Promise<void> {
    if (isStopping) return;
    deaths = livedMs > steadyMs ? 0 : deaths;
    const pauseMs = pausesMs[Math.min(deaths, pausesMs.length - 1)] as number;
    deaths += 1;
    metrics.restarts.inc();
    log.error({ worker: worker.process.pid, ...end, pauseMs }, 'a worker ended; another one is started');
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (isStopping) return;
    const address = await fork(false);
    if (address === null) await replace(worker, { cannotStart: true }, 0);
  }

  async function answerWorker(worker: Worker, id: number): Promise<void> {
    const others = [...running].filter((other) => other !== worker && other.isConnected());
    const all = await Promise.all(others.map((other) => metricsOf(other, metrics.nextId())));
    if (!worker.isConnected()) return;
    worker.send({ kind: 'metrics', id, all: [...all.flat(), await metrics.json()] } satisfies PeerMessage);
  }

  return {
    async start() {
      const first = await fork(true);
      if (first === null) return null;
      const others = Array.from({ length: config.workers - 1 }, () => fork(false));
      return (await Promise.all(others)).includes(null) ? null : first;
    },
    hangUp: () => signalAll(running, 'SIGHUP'),
    async stop() {
      isStopping = true;
      const ends = [...running].map((worker) => once(worker, 'exit'));
      signalAll(running, 'SIGTERM');
      const timer = setTimeout(() => signalAll(running, 'SIGKILL'), config.httpDrainSeconds * 1_000 + stopMs);
      await Promise.all(ends);
      clearTimeout(timer);
    },
  };
}

/** A connection that the listener has given to a worker. */
interface GivenConnection {
  /** Negative once it is closed here, which the listener does when the worker has taken it. */
  readonly fd: number;
  close(): void;
}

/**
 * Closes the connections that were given to a worker and that it died without taking. Node keeps them open for ever,
 * and their clients would wait for an answer that nobody writes.
 */
function closeUntaken(worker: Worker): void {
  const given = new Set<GivenConnection>();
  const closeAll = () => {
    for (const connection of given) if (connection.fd >= 0) connection.close();
    given.clear();
  };
  const send = worker.process.send.bind(worker.process) as (...args: unknown[]) => boolean;
  worker.process.send = (message: unknown, connection?: unknown, ...rest: unknown[]) => {
    for (const earlier of given) if (earlier.fd < 0) given.delete(earlier);
    if (connection) given.add(connection as GivenConnection);
    return send(message, connection, ...rest);
  };
  // A worker that has exited is given connections until its channel is closed.
  worker.on('exit', closeAll).on('disconnect', closeAll);
}

function signalAll(workers: Iterable<Worker>, signal: NodeJS.Signals): void {
  for (const worker of workers) worker.process.kill(signal);
}

/** The metrics of one worker; none if it does not answer in time. */
function metricsOf(worker: Worker, id: number): Promise<readonly object[]> {
  return new Promise((resolve) => {
    const done = (all: readonly object[]) => {
      clearTimeout(timer);
      worker.off('message', hear);
      resolve(all);
    };
    const hear = (message: PeerMessage) => {
      if (message.kind === 'metrics' && message.id === id) done(message.all);
    };
    const timer = setTimeout(() => done([]), metricsMs);
    worker.on('message', hear);
    worker.send({ kind: 'metrics?', id } satisfies PeerMessage);
  });
}

function supervisorMetrics(count: () => number) {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'svc_workers',
    help: 'Processes that serve under the supervisor.',
    registers,
    collect() {
      this.set(count());
    },
  });
  const restarts = new Counter({
    name: 'svc_worker_restarts_total',
    help: 'Processes that ended by themselves and were replaced.',
    registers,
  });
  let asked = 0;
  return {
    restarts,
    nextId: () => {
      asked += 1;
      return asked;
    },
    json: () => registry.getMetricsAsJSON(),
  };
}

function dsnOf({ host = '', port, user = '', database = '' }: ConnectionConfig): string {
  const query = new URLSearchParams({ host, ...(port ? { port: String(port) } : {}) });
  return `postgres://${encodeURIComponent(user)}@localhost/${encodeURIComponent(database)}?${query}`;
}
