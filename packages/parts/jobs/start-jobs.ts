import { setTimeout as pause } from 'node:timers/promises';
import type { SessionLocks } from '@kontor/database';
import { createThrottle, type Kernel } from '@kontor/kernel';
import { brokenOff, type ClaimedJob, claimJobs, leaseSeconds } from './claim-jobs.ts';
import { extendLeases, finishJob, judge, releaseJobs } from './finish-job.ts';
import { runJob } from './run-job.ts';
import { tellPaused } from './tell-paused.ts';

export interface JobWorker {
  /** Takes no more jobs, and gives those in hand some time to end. */
  stop(): Promise<void>;
}

export interface JobOptions {
  readonly locks: SessionLocks;
  /** Names this process; unique among all. */
  readonly owner: string;
  /** How often it looks for what is due. */
  readonly lookMs?: number;
}

const extendMs = 3_000;
const mostAtOnce = 3;
const patienceMs = 8_000;

/** Runs due jobs, a few at a time, until it is stopped. */
export function startJobs(kernel: Kernel, { locks, owner, lookMs = 1_000 }: JobOptions): JobWorker {
  const { database, log } = kernel;
  const running = new Map<ClaimedJob, Promise<void>>();
  const stopping = new AbortController();
  const onError = (error: unknown) => log.warn({ err: error }, 'could not look for due jobs');
  const looking = createThrottle(look, { spacingMs: 0, onError });
  const timer = setInterval(looking.ask, lookMs);
  const extending = setInterval(() => void extend(), extendMs);
  looking.ask();

  async function look(): Promise<void> {
    const limit = mostAtOnce - running.size;
    if (limit <= 0) return;
    const modules = activeModules(kernel);
    const { jobs, worn } = await claimJobs({ database, locks, owner, limit, modules });
    for (const job of worn) await tellPaused(kernel, job, brokenOff);
    for (const job of jobs) {
      running.set(
        job,
        run(job).finally(() => {
          running.delete(job);
          looking.ask();
        }),
      );
    }
  }

  async function run(job: ClaimedJob): Promise<void> {
    const began = performance.now();
    const error = await runJob(kernel, job, stopping.signal).then(
      () => null,
      (failure: unknown) => failure,
    );
    // The clock of this machine may be wrong, but it runs as fast as the database's.
    const endedAt = new Date(job.startedAt.getTime() + Math.round(performance.now() - began));
    if (error !== null) log.error({ err: error, job: job.handler }, 'a job failed');
    try {
      await end(job, endedAt, error === null ? null : explain(error));
    } catch (failure) {
      // The lease runs out, and another process tries again.
      log.error({ err: failure, job: job.handler }, 'the end of a job could not be written');
    } finally {
      await locks.unlock(job.id);
    }
  }

  async function end(job: ClaimedJob, endedAt: Date, error: string | null): Promise<void> {
    const verdict = judge(job, { endedAt, error });
    const isOurs = await finishJob(database, owner, job, { endedAt, error }, verdict);
    if (isOurs && error !== null && verdict.isPaused && job.isActive) await tellPaused(kernel, job, error);
    kernel.ring();
  }

  async function extend(): Promise<void> {
    const ids = [...running.keys()].map((job) => job.id);
    if (ids.length === 0) return;
    await extendLeases(database, owner, ids, leaseSeconds).catch(onError);
  }

  return {
    async stop() {
      clearInterval(timer);
      await looking.stop();
      stopping.abort();
      await Promise.race([Promise.all(running.values()), pause(patienceMs, undefined, { ref: false })]);
      clearInterval(extending);
      if (running.size > 0) await releaseJobs(database, owner, [...running.keys()]).catch(onError);
    },
  };
}

function activeModules({ loaded }: Kernel): readonly string[] {
  return [...loaded.states].filter(([, state]) => state === 'installed').map(([name]) => name);
}

function explain(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 2_000);
}
