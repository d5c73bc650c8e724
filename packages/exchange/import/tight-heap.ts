import { setFlagsFromString } from 'node:v8';

/** What was used may pile up to so many percent of what is in use before the engine looks for it; by itself it allows about 300. */
const tight = 60;
/** Leaves it to the engine. */
const usual = 0;

/**
 * Has the engine collect sooner while the work runs. Rows of a file live as long as the database writes them: it takes them for
 * lasting, and would let them pile up to several times what is in use.
 */
export const inTightHeap = createTightHeap(setFlagsFromString);

export function createTightHeap(setFlag: (flag: string) => void) {
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running === 0) setFlag(`--heap-growing-percent=${tight}`);
    running++;
    try {
      return await work();
    } finally {
      running--;
      if (running === 0) setFlag(`--heap-growing-percent=${usual}`);
    }
  };
}
