import type { DevMistake, DevRound } from '@kontor/protocol';

/** The results of the last round of `kontor dev`, and the pages that wait for the next. */
export interface DevRounds {
  readonly last: DevRound;
  tell(mistakes: readonly DevMistake[]): void;
  /** The first round after a number that a page knows; the current state if none comes in time. */
  after(round: number, waitMs: number): Promise<DevRound>;
  /** Releases all waiting pages. */
  close(): void;
}

export function createDevRounds(): DevRounds {
  let last: DevRound = { round: 0, mistakes: [] };
  let isClosed = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const go of waiting) go();
    waiting.clear();
  };
  return {
    get last() {
      return last;
    },
    tell(mistakes) {
      last = { round: last.round + 1, mistakes };
      wake();
    },
    async after(round, waitMs) {
      if (last.round === round && !isClosed) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs);
          waiting.add(() => {
            clearTimeout(timer);
            resolve();
          });
        });
      }
      return last;
    },
    close() {
      isClosed = true;
      wake();
    },
  };
}
