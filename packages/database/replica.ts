import type { Database } from './queryable.ts';
import { withFallback } from './replica-fallback.ts';
import { parseLsn, type ReplayState, replayState } from './replica-lsn.ts';

export interface ReplicaRouter {
  /** The replica when it has replayed what the caller last wrote (null: wrote nothing), else the primary. */
  forRead(lastWriteLsn: string | null): Promise<Database>;
  /** Whether reads go to the replica at all right now. */
  readonly isReplicaUp: boolean;
  /** Stops looking after the replica; both databases stay open. */
  close(): void;
}

export interface ReplicaRouterOptions {
  readonly primary: Database;
  readonly replica: Database;
  readonly onWarning?: (message: string, error: unknown) => void;
  /** How long a replay position that is too old is not asked for again. */
  readonly positionMs?: number;
  /** Pause between looks at the replica, up or down. */
  readonly probeMs?: number;
  /** A replica that does not tell its position in this time counts as down. */
  readonly answerMs?: number;
}

/** Routes reads; a replica that is dead or behind costs nothing but load on the primary. */
export function createReplicaRouter(options: ReplicaRouterOptions): ReplicaRouter {
  const { primary, replica, onWarning = () => {}, positionMs = 100, probeMs = 2_000, answerMs = 1_000 } = options;
  const guarded = withFallback({ primary, replica, onFailure: (error) => goDown('It does not answer', error) });
  let isUp = false;
  let isKnownDown = false;
  let replayed = -1n;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  const timer = setInterval(() => void look(), probeMs).unref();

  function goDown(reason: string, error: unknown): void {
    isUp = false;
    replayed = -1n;
    if (!isKnownDown) onWarning(`The read replica is not used: ${reason}. Reads go to the primary.`, error);
    isKnownDown = true;
  }

  function note(state: ReplayState): void {
    if (!state.isStandby) {
      goDown('It is not a standby of the primary', null);
      return;
    }
    if (isKnownDown) onWarning('The read replica is used again.', null);
    isUp = true;
    isKnownDown = false;
    replayed = state.replayed ?? -1n;
  }

  function look(): Promise<void> {
    asking ??= within(answerMs, replayState(replica))
      .then(note, (error) => goDown('It does not answer', error))
      .finally(() => {
        asking = null;
        askedAt = performance.now();
      });
    return asking;
  }

  void look();

  return {
    async forRead(lastWriteLsn) {
      if (!isUp) return primary;
      if (lastWriteLsn === null) return guarded;
      const needed = parseLsn(lastWriteLsn);
      if (needed === null) return primary;
      // Replay only moves on, so a position that once sufficed suffices; one that did not is asked for again in time.
      if (replayed < needed && performance.now() - askedAt >= positionMs) await look();
      return isUp && replayed >= needed ? guarded : primary;
    },
    get isReplicaUp() {
      return isUp;
    },
    close: () => clearInterval(timer),
  };
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
