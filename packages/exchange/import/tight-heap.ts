import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Garbage may grow to this percentage of live memory before the engine collects it; the default is about 300. */
const tight = 60;
/** Leaves it to the engine. */
const usual = 0;
/** Fewer rows are not worth the moment in which nothing else runs. */
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
      // How much may pile up is decided at the end of a full collection: the last one may have allowed for the usual.
      if (rows >= manyRows) collectAll();
      return await work();
    } finally {
      running--;
      if (running === 0) setFlag(`--heap-growing-percent=${usual}`);
    }
  };
}

/** The engine hands its collector to contexts that are made while this flag is set. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  gc();
}
