import type { Kernel } from '@kontor/kernel';
import { measureQueues, type QueueMeasures, systemQueues } from '@kontor/parts';
import { Gauge, type Registry } from 'prom-client';

/** Metrics from the database: one process reads them for all. */
export interface DatabaseMetrics {
  /** Reads them again; while the database is down, only that is reported. */
  read(): Promise<void>;
  /** Leaves them to the requested process. */
  clear(): void;
}

export function databaseMetrics(kernel: Kernel, registry: Registry): DatabaseMetrics {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] });
  const up = gauge('svc_database_up', 'Whether the database answers: 1, or 0.');
  const lag = gauge('svc_replica_lag_seconds', 'How far the read replica is behind the primary.');
  const outboxAge = gauge('svc_outbox_age_seconds', 'Age of the oldest outbox row; 0 if there is none.');
  const paused = gauge('svc_jobs_paused', 'Scheduled jobs that failed too often and are paused.');
  const backup = gauge('svc_backup_age_seconds', 'Time since the last backup by kontor backup was finished.');
  const depth = gauge(
    'svc_queue_depth',
    'Entries of a queue in the database: outbox rows not yet removed, jobs that are due, mail.',
    'queue',
  );
  const queues = queueMeasures.map(([name, help, of]) => ({ gauge: gauge(name, help, 'queue'), of }));
  const all = [up, lag, outboxAge, paused, backup, depth, ...queues.map((each) => each.gauge)];
  const clear = (): void => {
    for (const each of all) each.reset();
    for (const each of [up, lag, outboxAge, paused, backup]) each.remove();
  };

  async function readAll(): Promise<void> {
    const counts = await kernel.count(asked);
    depth.set({ queue: 'outbox' }, counts['events.waiting']);
    depth.set({ queue: 'cron' }, counts['jobs.due']);
    depth.set({ queue: 'mail' }, counts['mail.waiting']);
    outboxAge.set(counts['events.age']);
    paused.set(counts['jobs.paused']);
    if (counts['backups.age'] >= 0) backup.set(counts['backups.age']);
    for (const measures of await measureQueues(kernel, systemQueues)) {
      for (const { gauge: each, of } of queues) each.set({ queue: measures.name }, of(measures));
    }
    const seconds = await kernel.replicaLag();
    if (seconds !== null) lag.set(seconds);
  }

  return {
    clear,
    async read() {
      clear();
      const isUp = await kernel.database.ping().then(
        () => true,
        () => false,
      );
      up.set(isUp ? 1 : 0);
      // The other metrics matter most when the database fails.
      if (isUp) await readAll().catch((error: unknown) => kernel.log.warn({ err: error }, 'metrics could not be read'));
    },
  };
}

const asked = ['events.waiting', 'events.age', 'jobs.due', 'mail.waiting', 'jobs.paused', 'backups.age'] as const;

/** For every queue: mail, and those of installed modules by their full name. */
const queueMeasures: readonly (readonly [string, string, (measures: QueueMeasures) => number])[] = [
  ['svc_queue_waiting', 'Rows of a queue that wait, also for their next try.', ({ waiting }) => waiting],
  ['svc_queue_running', 'Rows of a queue that processes work on.', ({ running }) => running],
  ['svc_queue_dead', 'Rows of a queue that were given up.', ({ dead }) => dead],
  ['svc_queue_unclear', 'Rows of a queue whose outcome is unclear: a person decides.', ({ unclear }) => unclear],
  [
    'svc_queue_oldest_seconds',
    'Time since the oldest due row of a queue became due.',
    ({ oldestSeconds }) => oldestSeconds,
  ],
];
