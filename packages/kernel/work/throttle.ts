export interface Throttle {
  /** Requests a run. Requests during a run, or too soon after one, become one. */
  ask(): void;
  /** Starts no further run; settles when the current one has ended. */
  stop(): Promise<void>;
}

/** Runs work on request: requests before a run starts share it. */
export function createThrottle(
  work: () => Promise<void>,
  options: { readonly spacingMs: number; readonly onError: (error: unknown) => void },
): Throttle {
  let running: Promise<void> | null = null;
  let waiting: NodeJS.Timeout | null = null;
  let isWanted = false;
  let isStopped = false;

  function begin(): void {
    waiting = null;
    if (isStopped || !isWanted) return;
    isWanted = false;
    running = work()
      .catch(options.onError)
      .finally(() => {
        running = null;
        if (!isStopped) waiting = setTimeout(begin, options.spacingMs);
      });
  }

  return {
    ask() {
      isWanted = true;
      if (!running && !waiting) begin();
    },
    async stop() {
      isStopped = true;
      if (waiting) clearTimeout(waiting);
      waiting = null;
      await running;
    },
  };
}
