import type { RecentRecord } from './day.ts';

/** Answer of `GET /web/wc/find`: records that match a few letters of any of their identifying fields. */
export interface FoundRecords {
  /** By model, in the requested order; within a model, recently opened records come first. */
  readonly found: Readonly<Record<string, readonly FoundRecord[]>>;
  /** Recently opened records, if there is no search text. */
  readonly recent: readonly RecentRecord[];
}

export interface FoundRecord {
  readonly id: number;
  readonly name: string;
  /** The matching value, if it is not part of the name: an e-mail, a phone number, a city, a customer. */
  readonly by?: string;
}
