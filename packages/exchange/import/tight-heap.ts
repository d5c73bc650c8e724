import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Garbage may grow to this percentage of live memory before the engine collects it; the default is about 300. */
const tight = 60;
/** Restores the engine's default. */
const usual = 0;
/** For fewer rows, the pause is not worth it. */
const manyRows = 5_000;

/**
 * Makes the engine collect garbage sooner while the work runs. Rows of a file live until the database has written them: the engine
 * treats them as long-lived and would let them grow to several times the live memory.
 */
export const inTightHeap = createTightHeap(setFlagsFromString, collect);

export function createTightHeap(setFlag: (flag: string) => void, collectAll: () => void) {
  let running = 0;
  return async <T>(work: () => Promise<T>, rows = 0): Promise<T> => {
    if (running === 0) setFlag(`--heap-growing-percent=${tight}`);
    running++;
    try {
      // The limit is computed at the end of a full collection, and the last one may have used the default.
      if (rows >= manyRows) collectAll();
      return await work();
    } finally {
      running--;
      if (running === 0) setFlag(`--heap-growing-percent=${usual}`);
    }
  };
}

/** The engine exposes its collector to contexts that are created while this flag is set. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  gc();
}
