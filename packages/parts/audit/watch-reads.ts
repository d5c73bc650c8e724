import type { Queryable } from '@kontor/database';
import { lruCache } from '@kontor/protocol';
import { noteEntry } from './chain.ts';

/** The origin of a request. */
export interface Origin {
  readonly uid: number;
  readonly address: string;
  readonly via: string;
  readonly requestId: string;
}

export interface SeenRead {
  readonly model: string;
  readonly count: number;
  /** The request: domain, fields, ids. */
  readonly asked: Readonly<Record<string, unknown>>;
}

/** This many records in one answer count as a bulk read. */
export const bulkRecords = 200;
/** This many in several answers within a minute count as well. */
const bulkInAMinute = 1_000;
const minuteMs = 60_000;

export interface ReadWatch {
  /** Awaited before the answer is sent, so that every bulk read is recorded. */
  saw(origin: Origin, read: SeenRead): Promise<void>;
  exported(origin: Origin, read: Omit<SeenRead, 'count'>): Promise<void>;
  printed(origin: Origin, read: { readonly model: string; readonly ids: readonly number[] }): Promise<void>;
}

/** Distinguishes bulk reads from normal work, and records them. Ordinary reads cost nothing. */
export function watchReads(db: Queryable): ReadWatch {
  const sums = lruCache<string, { readonly since: number; count: number }>(10_000);

  /** How many records of the model this user read within a minute, once that is many; otherwise nothing. */
  function addedUp({ uid }: Origin, { model, count }: SeenRead): number {
    const key = `${uid} ${model}`;
    const now = performance.now();
    const known = sums.get(key);
    const sum = known && now - known.since < minuteMs ? known : { since: now, count: 0 };
    sum.count += count;
    sums.set(key, sum.count >= bulkInAMinute ? { since: now, count: 0 } : sum);
    return sum.count >= bulkInAMinute ? sum.count : 0;
  }

  return {
    async saw(origin, read) {
      const count = read.count >= bulkRecords ? read.count : addedUp(origin, read);
      if (count === 0) return;
      await noteEntry(db, { ...origin, kind: 'read', model: read.model, count, values: read.asked });
    },
    exported: (origin, { model, asked }) =>
      noteEntry(db, { ...origin, kind: 'export', model, count: null, values: asked }),
    printed: (origin, { model, ids }) => {
      const resId = ids.length === 1 ? (ids[0] ?? null) : null;
      return noteEntry(db, { ...origin, kind: 'print', model, resId, count: ids.length, values: { ids } });
    },
  };
}

const recordStart = '{"id":';

/** The number of records in an answer, including their lines. Inside texts the mark is escaped. */
export function countRecords(json: string): number {
  let count = 0;
  for (let at = json.indexOf(recordStart); at >= 0; at = json.indexOf(recordStart, at + recordStart.length)) count++;
  return count;
}
