import { setTimeout as pause } from 'node:timers/promises';

export interface Ending {
  readonly pid: number;
  readonly hasEnded: () => boolean;
  /** Timeout of the first signal. */
  readonly patienceMs?: number;
}

/** The timeout of each way to stop: a fast shutdown, one without a final checkpoint, SIGKILL. */
const steps: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 60_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5_000],
];

/** Escalates until the server has exited; true if the first signal was enough. */
export async function endProcess({ pid, hasEnded, patienceMs }: Ending): Promise<boolean> {
  for (const [index, [signal, usualMs]] of steps.entries()) {
    if (!hasEnded()) process.kill(pid, signal);
    const until = Date.now() + (index === 0 ? (patienceMs ?? usualMs) : usualMs);
    while (!hasEnded() && Date.now() < until) await pause(10);
    if (hasEnded()) return index === 0;
  }
  throw new Error(`The database server (process ${pid}) does not end.`);
}
