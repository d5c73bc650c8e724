import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createThrottle, type Kernel, type Queue, type QueueEnd, systemActor, workState } from '@kontor/kernel';
import { type Env, type TypedEnv, typedEnv } from '@kontor/orm';
import { type Claim, type ClaimedRow, claimRows } from './claim-rows.ts';
import { extendClaims, holdRow, releaseClaims, settledEnd, writeEnd } from './end-claim.ts';

export interface RunningQueue {
  /** Looks for due rows now. */
  look(): void;
  /** Claims no more rows, and gives the current work some time to end. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Names this process; unique among all. */
  readonly owner?: string;
  /** How often it looks for due rows without being notified. */
  readonly lookMs?: number;
  /** How long a stop waits for work. */
  readonly stopMs?: number;
  /** Whether changes of its model, and other processes, wake it; otherwise only `wakeQueue` does. */
  readonly hearsBell?: boolean;
}

/** The pause between two claims. */
const spacingMs = 5;
/** Consecutive changes are handled together. */
const bellMs = 100;

const noteOf = (model: string) => `queue ${model}`;

/**
 * Makes this process look for due records of the model right after the commit. Needed for rows written past `env.model` and for
 * `quiet` models; other changes do it automatically.
 * ```ts
 * export async function printLabels(env: Env) {
 *   wakeQueue(env, 'library.label');
 * }
 * ```
 */
export function wakeQueue({ work }: Pick<TypedEnv, 'work'>, model: string): void {
  workState(work)?.notes.add(noteOf(model));
}

/** Claims and works on due rows until it is stopped. */
export function startQueue(kernel: Kernel, queue: Queue, options: StartOptions = {}): RunningQueue {
  const { owner = kernel.process, lookMs = 5_000, stopMs = 5_000, hearsBell = true } = options;
  const { log, database } = kernel;
  const running = new Map<ClaimedRow, Promise<void>>();
  const stopping = new AbortController();
  const tries = openTries(kernel, queue, owner, stopping.signal);
  const onError = (error: unknown) => log.warn({ err: error, queue: queue.name }, 'a queue could not be looked after');
  const looking = createThrottle(look, { spacingMs, onError });
  const hearing = createThrottle(async () => looking.ask(), { spacingMs: bellMs, onError });
  const unsubscribe = [
    kernel.on(noteOf(queue.model), looking.ask),
    ...(hearsBell
      ? [kernel.on('bell', hearing.ask), kernel.on('changes', (models) => models.has(queue.model) && hearing.ask())]
      : []),
  ];
  const timer = setInterval(looking.ask, lookMs);
  const extending = setInterval(
    () => void extendClaims(database, queue, tries.table(), [...running.keys()]).catch(onError),
    (queue.leaseSeconds * 1_000) / 3,
  );
  looking.ask();

  async function look(): Promise<void> {
    const limit = queue.room.perProcess - running.size;
    if (limit <= 0 || stopping.signal.aborted) return;
    for (const row of await tries.claim(limit)) running.set(row, workOn(row));
  }

  async function workOn(row: ClaimedRow): Promise<void> {
    const end = await tries.attempt(row);
    running.delete(row);
    if (end !== null && end.is !== 'left') looking.ask();
  }

  async function settled(limitMs: number): Promise<void> {
    const timeUp = new AbortController();
    const late = pause(limitMs, undefined, { signal: timeUp.signal }).catch(() => {});
    await Promise.race([Promise.all(running.values()), late]);
    timeUp.abort();
  }

  return {
    look: looking.ask,
    async stop() {
      for (const stopHearing of unsubscribe) stopHearing();
      clearInterval(timer);
      stopping.abort();
      await Promise.all([looking.stop(), hearing.stop()]);
      await settled(stopMs);
      clearInterval(extending);
      // Remaining work finds its claim gone when it ends.
      await releaseClaims(database, queue, tries.table(), [...running.keys()]).catch(onError);
    },
  };
}

/** Works on everything that is due, without waiting for what becomes due later. */
export async function workOff(kernel: Kernel, queue: Queue): Promise<void> {
  const tries = openTries(kernel, queue, kernel.process, new AbortController().signal);
  for (;;) {
    const rows = await tries.claim(queue.room.perProcess);
    if (rows.length === 0) return;
    await Promise.all(rows.map(tries.attempt));
  }
}

async function asSystem<T>(kernel: Kernel, work: (env: Env) => Promise<T>): Promise<T> {
  return (await kernel.transact(systemActor, work, { isSudo: true })).result;
}

/** Logs the rows that were given up. */
function warnOfEnds({ log }: Kernel, { name }: Queue, { exhausted, unclear }: Claim): void {
  for (const row of exhausted) log.warn({ queue: name, row }, 'a row of a queue was given up');
  for (const row of unclear) {
    log.warn({ queue: name, row }, 'a process ended after it handed over a row of a queue: the outcome is unclear');
  }
}

interface Tries {
  readonly table: () => string;
  readonly claim: (limit: number) => Promise<readonly ClaimedRow[]>;
  /** The result of the row; null if another process has it by now, or it was released. */
  readonly attempt: (row: ClaimedRow) => Promise<QueueEnd | null>;
}

function openTries(kernel: Kernel, queue: Queue, owner: string, stopping: AbortSignal): Tries {
  const { log, database } = kernel;
  const table = () => kernel.registry.model(queue.model).table;

  const transact = <T>(work: (env: Env) => Promise<T>) => asSystem(kernel, work);

  async function attemptOnce(row: ClaimedRow): Promise<QueueEnd | null> {
    let outcome: unknown;
    try {
      const prepared = await transact((env) => queue.prepare(typedEnv(env), row));
      if (!('work' in prepared)) return await finish(row, async () => prepared, false);
      outcome = await queue.run(prepared.work, stopping);
    } catch (error) {
      if (!stopping.aborted) return fail(row, error);
      await releaseClaims(database, queue, table(), [row]);
      return null;
    }
    return finish(row, (env) => queue.end(typedEnv(env), row, outcome)).catch((error: unknown) => fail(row, error));
  }

  function fail(row: ClaimedRow, error: unknown): Promise<QueueEnd | null> {
    log.error({ err: error, queue: queue.name, row: row.id }, 'a row of a queue failed');
    return finish(row, async () => ({ is: 'again', error: error instanceof Error ? error.message : String(error) }));
  }

  async function finish(
    row: ClaimedRow,
    decide: (env: Env) => Promise<QueueEnd>,
    wasTried = true,
  ): Promise<QueueEnd | null> {
    const end = await transact(async (env) => {
      const model = env.registry.model(queue.model);
      const held = await holdRow(env, queue, model, row);
      if (!held) return null;
      const settled = settledEnd(queue, row, held, await decide(env));
      await writeEnd(env, queue, model, row, { ...settled, wasTried });
      return settled;
    });
    const about = { queue: queue.name, row: row.id, reason: end?.error };
    if (end?.is === 'dead') log.warn(about, 'a row of a queue was given up');
    return end;
  }

  return {
    table,
    async claim(limit) {
      const claim = `${owner.slice(-48)} ${randomBytes(6).toString('hex')}`;
      const claimed = await transact((env) => claimRows(env, queue, claim, limit));
      warnOfEnds(kernel, queue, claimed);
      return claimed.rows;
    },
    attempt: (row) =>
      attemptOnce(row).catch((error: unknown) => {
        // The lease expires, and the row is claimed again.
        log.error({ err: error, queue: queue.name, row: row.id }, 'the end of a try could not be written');
        return null;
      }),
  };
}
