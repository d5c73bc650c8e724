/**
 * What a connection is used for. Connections are reserved for reads and for sign-in, so that changes waiting for a row do not
 * block reads, and slow reads do not block sign-in.
 */
export type Purpose = 'change' | 'read' | 'urgent';

export interface ConnectionQueue {
  /** Resolves once a connection is free, with the function that releases it. */
  enter(purpose: Purpose): Promise<() => void>;
  /** Rejects all waiting callers. */
  refuseAll(reason: Error): void;
  readonly waiting: number;
  /** Waiting time of the first caller for a purpose. */
  waitMs(purpose: Purpose): number;
}

interface Waiter {
  readonly since: number;
  admit(): void;
  refuse(reason: Error): void;
}

const inOrder = ['urgent', 'read', 'change'] as const;

/** With fewer connections none is reserved. */
const fewest = 4;

export function createConnectionQueue(max: number, patienceMs: number): ConnectionQueue {
  const forUrgent = max < fewest ? 0 : 1;
  const forReads = max < fewest ? 0 : Math.max(1, Math.floor(max / 5));
  const most = { urgent: max, read: max - forUrgent, change: max - forUrgent - forReads };
  const inside = { urgent: 0, read: 0, change: 0 };
  const queues: Readonly<Record<Purpose, Waiter[]>> = { urgent: [], read: [], change: [] };

  function hasRoom(purpose: Purpose): boolean {
    const all = inside.change + inside.read + inside.urgent;
    if (all >= max) return false;
    if (purpose === 'urgent') return true;
    return purpose === 'read'
      ? inside.change + inside.read < most.read
      : inside.change < most.change && all < most.read;
  }

  function leaveOnce(purpose: Purpose): () => void {
    inside[purpose]++;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      inside[purpose]--;
      for (const each of inOrder) while (queues[each].length > 0 && hasRoom(each)) queues[each].shift()?.admit();
    };
  }

  function wait(purpose: Purpose): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const refuse = (reason: Error): void => {
        clearTimeout(timer);
        const at = queues[purpose].indexOf(waiter);
        if (at >= 0) queues[purpose].splice(at, 1);
        reject(reason);
      };
      // The same message as the driver's, so that it is translated like its other errors.
      const timer = setTimeout(() => refuse(new Error('timeout exceeded when trying to connect')), patienceMs);
      const admit = (): void => {
        clearTimeout(timer);
        resolve(leaveOnce(purpose));
      };
      const waiter: Waiter = { since: performance.now(), admit, refuse };
      queues[purpose].push(waiter);
    });
  }

  return {
    enter: async (purpose) => (hasRoom(purpose) && queues[purpose].length === 0 ? leaveOnce(purpose) : wait(purpose)),
    refuseAll(reason) {
      for (const purpose of inOrder) for (const waiter of [...queues[purpose]]) waiter.refuse(reason);
    },
    get waiting() {
      return queues.urgent.length + queues.read.length + queues.change.length;
    },
    waitMs(purpose) {
      const [first] = queues[purpose];
      return first ? performance.now() - first.since : 0;
    },
  };
}
