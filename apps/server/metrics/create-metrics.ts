import type { Kernel } from '@kontor/kernel';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { KnownCall } from '../logging/request-log.ts';
import { answerMetrics, metricsOfOthers } from '../workers/peers.ts';
import { databaseMetrics } from './database-metrics.ts';

export interface RpcMeasure extends KnownCall {
  /** Error code of the answer, or OK. */
  readonly code: string;
  readonly seconds: number;
}

export interface Metrics {
  readonly contentType: string;
  countRpc(measure: RpcMeasure): void;
  /** Any other request. */
  countPage(page: { readonly route: string; readonly status: number }): void;
  /** Starts to observe the process itself, if nothing does yet. */
  watchProcess(): void;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The metrics of this process, or of all workers together. Label values come from closed lists, so a caller cannot
 * create new series.
 */
// Over 60 lines: a list of metrics, each declared beside what feeds it.
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
    // The library sorts and joins the labels of every call; our own map costs a fraction of that.
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
  const pages = new Counter({
    name: 'svc_http_requests_total',
    help: 'Requests other than calls of /api/rpc, by route and status.',
    labelNames: ['route', 'status'] as const,
    registers,
  });
  const database = databaseMetrics(kernel, registry);
  answerMetrics(async () => {
    watchProcess();
    database.clear();
    return [await registry.getMetricsAsJSON()];
  });

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
    countPage: ({ route, status }) => pages.inc({ route, status: String(status) }),
    async text() {
      watchProcess();
      await database.read();
      const others = await metricsOfOthers();
      const whole = others.length === 0 ? registry : sumOf([await registry.getMetricsAsJSON(), ...others]);
      // The library's content type differs slightly from that of the format.
      return (await whole.metrics()).replaceAll(/ Nan$/gm, ' NaN');
    },
  };
}

/** The metrics of all workers as those of one server: counts are added. */
function sumOf(all: readonly object[]): Pick<Registry, 'metrics'> {
  return AggregatorRegistry.aggregate([...all] as object[]) as Registry;
}

type RequestLabels = Record<'model' | 'method' | 'code', string>;
