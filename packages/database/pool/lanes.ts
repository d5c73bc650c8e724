/**
 * What a connection is taken for. Some are kept free for the later ones: work that waits for a row must not stop people from
 * reading, nor slow reads them from signing in.
 */
export type Lane = 'change' | 'read' | 'urgent';

export interface Lanes {
  /** Settles once there is room; gives what makes it again. */
  enter(lane: Lane): Promise<() => void>;
  /** Refuses everyone who waits. */
  refuseAll(reason: Error): void;
  readonly waiting: number;
  /** How long the first in a lane has been waiting. */
  waitMs(lane: Lane): number;
}

interface Waiter {
  readonly since: number;
  admit(): void;
  refuse(reason: Error): void;
}

const inOrder = ['urgent', 'read', 'change'] as const;

/** With few connections none is kept: too little would be left. */
const fewest = 4;

export function createLanes(max: number, patienceMs: number): Lanes {
  const forUrgent = max < fewest ? 0 : 1;
  const forReads = max < fewest ? 0 : Math.max(1, Math.floor(max / 5));
  const most = { urgent: max, read: max - forUrgent, change: max - forUrgent - forReads };
  const inside = { urgent: 0, read: 0, change: 0 };
  const queues: Readonly<Record<Lane, Waiter[]>> = { urgent: [], read: [], change: [] };

  function hasRoom(lane: Lane): boolean {
    const all = inside.change + inside.read + inside.urgent;
    if (all >= max) return false;
    if (lane === 'urgent') return true;
    return lane === 'read' ? inside.change + inside.read < most.read : inside.change < most.change && all < most.read;
  }

  function leaveOnce(lane: Lane): () => void {
    inside[lane]++;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      inside[lane]--;
      for (const each of inOrder) while (queues[each].length > 0 && hasRoom(each)) queues[each].shift()?.admit();
    };
  }

  function wait(lane: Lane): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const refuse = (reason: Error): void => {
        clearTimeout(timer);
        const at = queues[lane].indexOf(waiter);
        if (at >= 0) queues[lane].splice(at, 1);
        reject(reason);
      };
      // In the driver's words, which are translated with its others.
      const timer = setTimeout(() => refuse(new Error('timeout exceeded when trying to connect')), patienceMs);
      const admit = (): void => {
        clearTimeout(timer);
        resolve(leaveOnce(lane));
      };
      const waiter: Waiter = { since: performance.now(), admit, refuse };
      queues[lane].push(waiter);
    });
  }

  return {
    enter: async (lane) => (hasRoom(lane) && queues[lane].length === 0 ? leaveOnce(lane) : wait(lane)),
    refuseAll(reason) {
      for (const lane of inOrder) for (const waiter of [...queues[lane]]) waiter.refuse(reason);
    },
    get waiting() {
      return queues.urgent.length + queues.read.length + queues.change.length;
    },
    waitMs(lane) {
      const [first] = queues[lane];
      return first ? performance.now() - first.since : 0;
    },
  };
}
