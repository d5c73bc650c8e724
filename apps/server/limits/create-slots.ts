/** So many at once; who comes later waits, in the order of coming, until they are gone or somebody is done. */
export interface Slots {
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;

  async function take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(enter);
    });
  }

  function give(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  return {
    async run(signal, work) {
      await take(signal);
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
