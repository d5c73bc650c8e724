import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '@kontor/database';
import { createThrottle, type Kernel, ofInstalled, systemActor, type Throttle } from '@kontor/kernel';
import { type Env, type TypedEnv, typedEnv } from '@kontor/orm';

export interface WorkerOptions {
  /** How often a worker runs without a change. */
  readonly lookMs?: number;
  /** How long a stop waits for running work before it cancels it. */
  readonly stopMs?: number;
}

/** Names the locks of steps of workers among all advisory locks of the database. */
const stepLocks = 0x6b77_6f72;
/** Consecutive changes are handled together. */
const spacingMs = 100;

/** Asks the workers of all installed modules, until it is stopped. */
export function startWorkers(
  kernel: Kernel,
  { lookMs = 5_000, stopMs = 5_000 }: WorkerOptions = {},
): { stop(): Promise<void> } {
  const workers = () => ofInstalled(kernel, (addon) => addon.workers);
  const running = new Map<string, Throttle>();
  const going = new Set<Promise<void>>();
  const stopping = new AbortController();
  const cutting = new AbortController();

  /** Those that have something to do after changes of these models; null: whatever has changed. */
  function ask(changed: ReadonlySet<string> | null): void {
    for (const [name, { models }] of workers()) {
      if (changed && models && !models.some((model) => changed.has(model))) continue;
      if (!running.has(name)) running.set(name, runner(name));
      running.get(name)?.ask();
    }
  }

  function runner(name: string): Throttle {
    const onError = (error: unknown) => kernel.log.error({ err: error, worker: name }, 'a worker failed');
    const step = <T>(work: (env: TypedEnv) => Promise<T>) => runStep(kernel, name, work, cutting.signal);
    const throttle: Throttle = createThrottle(
      async () => workers().get(name)?.run({ step, begin, signal: stopping.signal }),
      { spacingMs, onError },
    );
    function begin(work: () => Promise<void>): void {
      const ends: Promise<void> = work()
        .catch(onError)
        .finally(() => {
          going.delete(ends);
          throttle.ask();
        });
      going.add(ends);
    }
    return throttle;
  }

  const askAll = () => ask(null);
  const hearing = [kernel.on('bell', askAll), kernel.on('modules', askAll), kernel.on('changes', ask)];
  const timer = setInterval(askAll, lookMs);
  askAll();
  return {
    async stop() {
      for (const stopHearing of hearing) stopHearing();
      clearInterval(timer);
      stopping.abort();
      const ended = Promise.all([...running.values()].map((one) => one.stop())).then(() => Promise.all(going));
      const timeUp = new AbortController();
      await Promise.race([ended, pause(stopMs, undefined, { signal: timeUp.signal }).catch(() => {})]);
      timeUp.abort();
      cutting.abort(new Error('The server is stopping.'));
    },
  };
}

/** One unit of work, while no process has another step of this worker. */
async function runStep<T>(
  kernel: Kernel,
  worker: string,
  work: (env: TypedEnv) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const alone = async (env: Env): Promise<T> => {
    await env.db.execute(sql`select pg_advisory_xact_lock(${stepLocks}::int4, hashtext(${worker}))`);
    return work(typedEnv(env));
  };
  const { result } = await kernel.transact(systemActor, alone, { isSudo: true, signal });
  return result;
}
