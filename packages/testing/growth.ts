/** The least CPU time of some runs, in microseconds; what is refused is refused after so much work. */
async function costOf(read: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage();
    try {
      await read();
    } catch {
      // A refusal is an answer too.
    }
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** Below some milliseconds it is the machine that is measured. */
const leastMeasured = 15_000;

/** How many times as much four times the input costs: about four where work is linear, sixteen where it grows with the square. */
export async function growthOf(read: (n: number) => unknown, n: number): Promise<number> {
  const small = await costOf(() => read(n));
  const large = await costOf(() => read(4 * n));
  return large / Math.max(small, leastMeasured);
}

/** Between four and sixteen: work that is linear stays below it. */
export const linearGrowth = 9;

/** How often others are served while something is done. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const serve = () => {
    turns++;
    if (!isDone) setImmediate(serve);
  };
  setImmediate(serve);
  await work();
  isDone = true;
  return turns;
}
