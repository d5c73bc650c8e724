import type { Kernel } from '@kontor/kernel';
import { measureQueues, type QueueMeasures, systemQueues } from '@kontor/parts';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { KnownCall } from '../logging/request-log.ts';

export interface RpcMeasure extends KnownCall {
  /** Error code of the answer, or OK. */
  readonly code: string;
  readonly seconds: number;
}

export interface Metrics {
  readonly contentType: string;
  countRpc(measure: RpcMeasure): void;
  /** Begins to watch the process itself, if nobody has yet. */
  watchProcess(): void;
  /** Everything in Prometheus' text format, as it is now. */
  text(): Promise<string>;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The numbers of this process. Values of labels come from closed lists, so a caller cannot make new series. */
// Over 60 lines: one closure.
export function createMetrics(kernel: Kernel): Metrics {
  const registry = new Registry();
  const registers = [registry];
  let isWatching = false;
  const watchProcess = (): void => {
    if (!isWatching) collectDefaultMetrics({ register: registry });
    isWatching = true;
  };
  const counted = new Map<string, { readonly labels: RequestLabels; count: number }>();
  new Counter({
    name: 'svc_rpc_requests_total',
    help: 'Calls of /api/rpc by model, method and error code (OK: none).',
    labelNames: ['model', 'method', 'code'] as const,
    registers,
    // The library sorts and joins the labels of every call; a map of our own is a fraction of that.
    collect() {
      this.reset();
      for (const { labels, count } of counted.values()) this.inc(labels, count);
    },
  });
  const durations = new Histogram({
    name: 'svc_rpc_duration_seconds',
    help: 'Time from the arrival of a call of /api/rpc to the end of its answer.',
    labelNames: ['method'] as const,
    buckets,
    registers,
  });
  new Gauge({
    name: 'svc_db_pool_connections',
    help: 'Connections to the database: total, idle; and callers waiting for one.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      for (const [state, count] of Object.entries(kernel.database.counts())) this.set({ state }, count);
    },
  });
  const depth = new Gauge({
    name: 'svc_queue_depth',
    help: 'Entries of a queue in the database: outbox rows not yet swept, jobs that are due.',
    labelNames: ['queue'] as const,
    registers,
  });
  const queues = queueMeasures.map(([name, help, of]) => ({
    gauge: new Gauge({ name, help, labelNames: ['queue'] as const, registers }),
    of,
  }));

  return {
    contentType: registry.contentType,
    countRpc({ model = 'other', method = 'other', code, seconds }) {
      const key = `${model} ${method} ${code}`;
      const known = counted.get(key);
      if (known) known.count++;
      else counted.set(key, { labels: { model, method, code }, count: 1 });
      durations.observe({ method }, seconds);
    },
    watchProcess,
    async text() {
      watchProcess();
      depth.reset();
      for (const [queue, count] of await queueDepths(kernel)) depth.set({ queue }, count);
      for (const { gauge } of queues) gauge.reset();
      for (const measures of await measureQueues(kernel, systemQueues).catch(() => [])) {
        for (const { gauge, of } of queues) gauge.set({ queue: measures.name }, of(measures));
      }
      // The library's word for it is not quite that of the format.
      return (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN');
    },
  };
}

/** Of every queue: mail, and those of installed modules by their full name. */
const queueMeasures: readonly (readonly [string, string, (measures: QueueMeasures) => number])[] = [
  ['svc_queue_waiting', 'Rows of a queue that wait, also for their next try.', ({ waiting }) => waiting],
  ['svc_queue_running', 'Rows of a queue that processes work on.', ({ running }) => running],
  ['svc_queue_dead', 'Rows of a queue that were given up.', ({ dead }) => dead],
  [
    'svc_queue_oldest_seconds',
    'Time since the oldest due row of a queue became due.',
    ({ oldestSeconds }) => oldestSeconds,
  ],
];

type RequestLabels = Record<'model' | 'method' | 'code', string>;

/** How much waits in the database; nothing when it cannot be asked, since the other numbers matter most then. */
async function queueDepths(kernel: Kernel): Promise<readonly (readonly [string, number])[]> {
  try {
    const counts = await kernel.count(['events.waiting', 'jobs.due', 'mail.waiting']);
    return [
      ['outbox', counts['events.waiting']],
      ['cron', counts['jobs.due']],
      ['mail', counts['mail.waiting']],
    ];
  } catch {
    return [];
  }
}
