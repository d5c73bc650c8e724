/** Work that waits for its turn, in order of arrival. */
export interface Queue {
  /** Settles as the work does. With a signal, work that is aborted while it waits is not run. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Settles when nothing is running or waiting. */
  idle(): Promise<void>;
  /** The number of running and waiting pieces of work. */
  readonly length: number;
}

/** Runs at most `atOnce` pieces of work at a time, in order of arrival; a failure does not stop the others. */
export function queue(atOnce = 1): Queue {
  const waiting: (() => void)[] = [];
  let onIdle: (() => void)[] = [];
  let running = 0;

  async function started<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      running--;
      const next = waiting.shift();
      if (next) next();
      else if (running === 0) {
        for (const tell of onIdle) tell();
        onIdle = [];
      }
    }
  }

  return {
    run(work, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (running < atOnce) {
        running++;
        return started(work);
      }
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.splice(waiting.indexOf(enter), 1);
          reject(signal?.reason);
        };
        const enter = (): void => {
          signal?.removeEventListener('abort', leave);
          running++;
          started(work).then(resolve, reject);
        };
        signal?.addEventListener('abort', leave, { once: true });
        waiting.push(enter);
      });
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
    get length() {
      return running + waiting.length;
    },
  };
}
