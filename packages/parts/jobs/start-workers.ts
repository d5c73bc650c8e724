import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '@kontor/database';
import { createThrottle, type Kernel, systemActor, type Throttle, type WorkerSpec } from '@kontor/kernel';
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
  const running = new Map<string, Throttle>();
  const going = new Set<Promise<void>>();
  const stopping = new AbortController();
  const cutting = new AbortController();

  function askAll(): void {
    for (const name of workerNames(kernel)) {
      if (!running.has(name)) running.set(name, runner(name));
      running.get(name)?.ask();
    }
  }

  function runner(name: string): Throttle {
    const onError = (error: unknown) => kernel.log.error({ err: error, worker: name }, 'a worker failed');
    const step = async <T>(work: (env: TypedEnv) => Promise<T>): Promise<T> => {
      const alone = async (env: Env): Promise<T> => {
        await env.db.execute(sql`select pg_advisory_xact_lock(${stepLocks}::int4, hashtext(${name}))`);
        return work(typedEnv(env));
      };
      const { result } = await kernel.transact(systemActor, alone, { isSudo: true, signal: cutting.signal });
      return result;
    };
    const throttle: Throttle = createThrottle(
      async () => findWorker(kernel, name)?.run({ step, begin, signal: stopping.signal }),
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

  const stopHearing = kernel.on('bell', askAll);
  const timer = setInterval(askAll, lookMs);
  askAll();
  return {
    async stop() {
      stopHearing();
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

function workerNames({ loaded }: Kernel): readonly string[] {
  return [...loaded.states].flatMap(([module, state]) => {
    const workers = state === 'installed' ? (loaded.definitions.get(module)?.workers ?? []) : [];
    return workers.map(({ name }) => `${module}.${name}`);
  });
}

/** According to the newest modules. */
function findWorker({ loaded }: Kernel, called: string): WorkerSpec | undefined {
  const [module = '', name = ''] = called.split('.');
  if (loaded.states.get(module) !== 'installed') return undefined;
  return loaded.definitions.get(module)?.workers.find((each) => each.name === name);
}
