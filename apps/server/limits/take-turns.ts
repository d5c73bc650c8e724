/** Runs work of one name one after another; work of different names at the same time. */
export interface Turns {
  /** Null when too many wait already. */
  run<T>(name: string, work: () => Promise<T>): Promise<T | null>;
}

export function createTurns(maxWaiting: number): Turns {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();

  return {
    async run(name, work) {
      const queue = queues.get(name) ?? { last: Promise.resolve(), length: 0 };
      if (queue.length >= maxWaiting) return null;
      queues.set(name, queue);
      queue.length++;
      const turn = queue.last.then(work, work);
      queue.last = turn.catch(() => {});
      try {
        return await turn;
      } finally {
        if (--queue.length === 0) queues.delete(name);
      }
    },
  };
}
