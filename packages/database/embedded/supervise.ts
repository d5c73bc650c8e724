import { setTimeout as sleep } from 'node:timers/promises';
import type { Crash, EmbeddedLog } from './embedded-server.ts';
import type { Postmaster } from './start-postmaster.ts';

export interface Supervisor {
  readonly pid: number | null;
  onCrash(listener: (crash: Crash) => void): () => void;
  onRestart(listener: () => void): () => void;
  stop(patienceMs?: number): Promise<void>;
}

export interface Supervision {
  readonly first: Postmaster;
  readonly restart: () => Promise<Postmaster>;
  readonly log: EmbeddedLog;
  /** Waits, or less if aborted; replaceable in tests. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const windowMs = 120_000;
const longestPauseMs = 15_000;
/** Pauses before the first restarts within one window; all further ones use the longest. */
const pausesMs = [100, 500, 2_000, 5_000];

/**
 * Keeps a server running: a crash is reported and followed by a restart, with growing pauses while it keeps crashing.
 */
// Over 60 lines: the functions share the current server and its recent crashes.
export function supervise({ first, restart, log, pause = sleepUnless }: Supervision): Supervisor {
  const crashListeners = new Set<(crash: Crash) => void>();
  const restartListeners = new Set<() => void>();
  const stopping = new AbortController();
  let current: Postmaster | null = first;
  let recent: number[] = [];
  const watching = watch();

  async function watch(): Promise<void> {
    for (let server: Postmaster | null = first; server; ) {
      const reason = await server.ended;
      current = null;
      if (stopping.signal.aborted) return;
      server = await recover(reason);
    }
  }

  /** Null if a stop came first. */
  async function recover(reason: string): Promise<Postmaster | null> {
    for (let why = reason; ; ) {
      recent = [...recent.filter((at) => at > Date.now() - windowMs), Date.now()];
      const pauseMs = pausesMs[recent.length - 1] ?? longestPauseMs;
      tell(why, pauseMs);
      await pause(pauseMs, stopping.signal);
      if (stopping.signal.aborted) return null;
      try {
        current = await restart();
        log.info(`The database server runs again (process ${current.pid}).`);
        for (const listener of restartListeners) listener();
        return current;
      } catch (error) {
        why = (error as Error).message;
      }
    }
  }

  function tell(reason: string, pauseMs: number): void {
    log.warn(`${reason} Restarting it in ${pauseMs / 1_000} s.`);
    for (const listener of crashListeners) listener({ reason });
  }

  let stopped: Promise<void> | null = null;
  async function stop(patienceMs?: number): Promise<void> {
    stopping.abort();
    await current?.stop(patienceMs);
    await watching;
    // A restart that was in progress when the stop came.
    await current?.stop(patienceMs);
  }

  return {
    get pid() {
      return current?.pid ?? null;
    },
    onCrash: (listener) => listen(crashListeners, listener),
    onRestart: (listener) => listen(restartListeners, listener),
    stop: (patienceMs) => {
      stopped ??= stop(patienceMs);
      return stopped;
    },
  };
}

const sleepUnless = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {});

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
