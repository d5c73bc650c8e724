import { setTimeout as pause } from 'node:timers/promises';
import type { SessionLocks } from '@kontor/database';
import { createThrottle, type JobSpec, type Kernel, systemActor } from '@kontor/kernel';
import { type Env, typedEnv } from '@kontor/orm';
import { KontorError, type Notification, type Translate, text } from '@kontor/protocol';
import { keepNotifications } from '../events/notification.ts';
import { publishEvents } from '../events/outbox.ts';
import { findAdministrators } from '../identity/administrators.ts';
import { recordPath } from '../settings/config-parameter.ts';
import { type ClaimedJob, claimJobs, enterStep, interruptedMessage, leaseSeconds } from './claim-jobs.ts';
import { extendLeases, finishJob, type JobOutcome, planNextRun, releaseJobs } from './finish-job.ts';

export interface JobWorker {
  /** Claims no more jobs, and gives running ones some time to end. */
  stop(): Promise<void>;
}

export interface JobOptions {
  readonly locks: SessionLocks;
  /** Names this process; unique among all. */
  readonly owner: string;
  /** How often it looks for due jobs. */
  readonly lookMs?: number;
  readonly mostAtOnce?: number;
  /** How long a stop waits for jobs before it cancels them. */
  readonly stopMs?: number;
}

const extendMs = 3_000;
/** The time for cancelled work to end. */
const cutMs = 1_000;

/** Runs due jobs, a few at a time, until it is stopped. */
export function startJobs(
  kernel: Kernel,
  { locks, owner, lookMs = 1_000, mostAtOnce = 3, stopMs = 5_000 }: JobOptions,
): JobWorker {
  const { database, log } = kernel;
  const running = new Map<ClaimedJob, Promise<void>>();
  const stopping = new AbortController();
  const cutting = new AbortController();
  const ends: Ends = { stop: stopping.signal, cut: cutting.signal };
  const onError = (error: unknown) => log.warn({ err: error }, 'could not look for due jobs');
  const looking = createThrottle(look, { spacingMs: 0, onError });
  const timer = setInterval(looking.ask, lookMs);
  const extending = setInterval(() => void extend(), extendMs);
  looking.ask();

  async function look(): Promise<void> {
    const limit = mostAtOnce - running.size;
    if (limit <= 0) return;
    const modules = activeModules(kernel);
    const { jobs, exhausted } = await claimJobs({ database, locks, owner, limit, modules });
    for (const job of exhausted) await notifyPaused(kernel, job, interruptedMessage);
    for (const job of jobs) {
      running.set(
        job,
        runToEnd(kernel, { locks, owner }, job, ends).finally(() => {
          running.delete(job);
          looking.ask();
        }),
      );
    }
  }

  async function extend(): Promise<void> {
    const ids = [...running.keys()].map((job) => job.id);
    if (ids.length === 0) return;
    await extendLeases(database, owner, ids, leaseSeconds).catch(onError);
  }

  async function settled(limitMs: number): Promise<void> {
    const timeUp = new AbortController();
    const late = pause(limitMs, undefined, { signal: timeUp.signal }).catch(() => {});
    await Promise.race([Promise.all(running.values()), late]);
    timeUp.abort();
  }

  return {
    async stop() {
      clearInterval(timer);
      await looking.stop();
      stopping.abort();
      await settled(stopMs);
      cutting.abort(new Error('The server is stopping.'));
      await settled(cutMs);
      clearInterval(extending);
      // The rest waits for something external, and its transactions will be rejected.
      if (running.size > 0) await releaseJobs(database, owner, [...running.keys()]).catch(onError);
    },
  };
}

interface Ends {
  /** Asks it to finish. */
  readonly stop: AbortSignal;
  /** Aborts the current transaction, and rejects further ones. */
  readonly cut: AbortSignal;
}

/** Runs a job and stores its result; a cancelled one is released, for another process to start again. */
async function runToEnd(
  kernel: Kernel,
  { locks, owner }: Pick<JobOptions, 'locks' | 'owner'>,
  job: ClaimedJob,
  ends: Ends,
): Promise<void> {
  const { log } = kernel;
  const began = performance.now();
  const error = await runJob(kernel, job, ends).then(
    () => null,
    (failure: unknown) => failure,
  );
  // The clock of this machine may be wrong, but it runs as fast as the database's.
  const endedAt = new Date(job.startedAt.getTime() + Math.round(performance.now() - began));
  const isCut = error !== null && ends.cut.aborted;
  if (error !== null && !isCut) log.error({ err: error, job: job.handler }, 'a job failed');
  try {
    if (isCut) await releaseJobs(kernel.database, owner, [job]);
    else await writeEnd(kernel, owner, job, { endedAt, error: error === null ? null : explain(error) });
  } catch (failure) {
    // The lease expires, and another process tries again.
    log.error({ err: failure, job: job.handler }, 'the end of a job could not be written');
  } finally {
    await locks.unlock(job.id);
  }
}

async function writeEnd(kernel: Kernel, owner: string, job: ClaimedJob, outcome: JobOutcome): Promise<void> {
  const next = planNextRun(job, outcome);
  const isOurs = await finishJob(kernel.database, owner, job, outcome, next);
  if (isOurs && outcome.error !== null && next.isPaused && job.isActive) {
    await notifyPaused(kernel, job, outcome.error);
  }
  kernel.ring();
}

function activeModules({ loaded }: Kernel): readonly string[] {
  return [...loaded.states].filter(([, state]) => state === 'installed').map(([name]) => name);
}

function explain(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 2_000);
}

/** Runs a job of an active module, as the system. */
async function runJob(kernel: Kernel, claimed: ClaimedJob, { stop: signal, cut }: Ends): Promise<void> {
  const job = findJob(kernel, claimed.handler);
  const cronId = claimed.id;
  const step = async <T>(work: (env: ReturnType<typeof typedEnv>) => Promise<T>): Promise<T> => {
    const entered = async (env: Env): Promise<T> => {
      await enterStep(env.db, claimed);
      return work(typedEnv(env));
    };
    const { result } = await kernel.transact(systemActor, entered, { isSudo: true, signal: cut });
    return result;
  };
  if ('run' in job) await step((env) => job.run({ env, cronId }));
  else if ('runInSteps' in job) await job.runInSteps({ step, signal, cronId });
  else await job.runAsSystem(kernel, signal);
}

function findJob({ loaded }: Kernel, handler: string): JobSpec {
  const [module = '', name = ''] = handler.split('.');
  const job = loaded.definitions.get(module)?.jobs.find((each) => each.name === name);
  if (job) return job;
  throw new KontorError('NOT_FOUND', `The module ${module} has no job "${name}".`);
}

export interface PausedJob {
  readonly id: number;
  readonly name: string;
}

/** Notifies every administrator, in their language, that a job is paused. */
export async function notifyPaused(
  { database, wordsIn }: Pick<Kernel, 'database' | 'wordsIn'>,
  job: PausedJob,
  error: string,
): Promise<void> {
  const people = await findAdministrators(database);
  for (const lang of new Set(people.map((person) => person.lang))) {
    const ids = people.filter((person) => person.lang === lang).map(({ id }) => id);
    const message = messageOf(job, error, wordsIn(lang));
    await keepNotifications(database, ids, message);
    await publishEvents(
      database,
      ids.map((userId) => ({ channel: 'notify', payload: { ...message }, userId })),
    );
  }
}

function messageOf({ id, name }: PausedJob, error: string, say: Translate): Notification {
  return {
    kind: 'error',
    title: say('A scheduled job is paused'),
    body: say(text('{name} failed several times: {error}', { name, error: error.slice(0, 300) })),
    href: recordPath('sys.cron', id),
  };
}
