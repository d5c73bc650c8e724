import { lruCache } from '@kontor/protocol';

/**
 * Short reads share connections: the server finds the next one when it is done with the one before, so that neither it nor we
 * are woken for each. Whoever is sent behind others waits for them, which is why only statements that are known to be short
 * take part, and only as many as together are short as well.
 */
export const maxShortMs = 25;
/** Three servers' processes do more short reads than one of ours can ask for. */
export const fewShared = 3;

/** What may wait for somebody's row, or changes one, is never short: those behind it would wait with it. */
const reads = /^\s*select\b/i;
const locks = /\bfor\s+(?:no\s+key\s+|key\s+)?(?:update|share)\b|_lock/i;

const maxTimes = 2_000;
/** How much the last time counts. */
const weight = 0.1;

interface ReadTimes {
  /** Null: it is not known, or known not to be short. */
  expectedMs(text: string): number | null;
  note(text: string, ms: number): void;
}

/** How long statements take in the mean, the last times counting most. */
export function createReadTimes(): ReadTimes {
  const known = lruCache<string, number>(maxTimes);
  return {
    expectedMs(text) {
      const ms = known.get(text);
      return ms === undefined || ms > maxShortMs / 2 ? null : ms;
    },
    note(text, ms) {
      const before = known.get(text) ?? (reads.test(text) && !locks.test(text) ? ms : Number.POSITIVE_INFINITY);
      known.set(text, Number.isFinite(before) ? before + (ms - before) * weight : before);
    },
  };
}
