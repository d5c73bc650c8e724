import { type Queue, queue } from '@kontor/protocol';

/** Runs work of one name one after another; work of different names at the same time. */
export interface Turns {
  /** Null when too many wait already. */
  run<T>(name: string, work: () => Promise<T>): Promise<T | null>;
}

export function createTurns(maxWaiting: number): Turns {
  const queues = new Map<string, Queue>();

  return {
    async run(name, work) {
      const own = queues.get(name) ?? queue();
      if (own.length >= maxWaiting) return null;
      queues.set(name, own);
      try {
        return await own.run(work);
      } finally {
        if (own.length === 0) queues.delete(name);
      }
    },
  };
}
