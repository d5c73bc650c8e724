import type { RecentRecord } from './day.ts';

/** Answer of `GET /web/wc/find`: records by a few letters of anything they are known by. */
export interface FoundRecords {
  /** By model, in the order asked for; within one, what the person opened lately comes first. */
  readonly found: Readonly<Record<string, readonly FoundRecord[]>>;
  /** What the person had open last, where nothing was looked for. */
  readonly recent: readonly RecentRecord[];
}

export interface FoundRecord {
  readonly id: number;
  readonly name: string;
  /** The value that it was found by, where that is not in its name: an e-mail, a phone, a city. */
  readonly by?: string;
}
