import { type Queryable, sql } from '@kontor/database';
import { type Text, text } from '@kontor/protocol';
import { beginning, entryText, type Head, hashOf, saltedHash } from './chain.ts';
import { erasedEntries } from './erase-entries.ts';

export interface Verdict {
  /** The number of checked entries. */
  readonly entries: number;
  readonly head: Head;
  /** The first entry that was changed; null: none. */
  readonly broken: { readonly seq: number; readonly why: Text } | null;
}

interface EntryRow {
  readonly seq: number;
  readonly segment: string;
  readonly hash: string;
  readonly content: string;
  readonly is_whole: boolean;
  /** The hash of the current values. */
  readonly values_now: string;
  readonly [column: string]: unknown;
}

interface SegmentRow extends Record<string, unknown> {
  readonly name: string;
  readonly last_seq: number;
  readonly last_hash: string;
  readonly is_dropped: boolean;
}

const atOnce = 5_000;

/**
 * Follows the chain from its start, or from the last dropped segment, to its end, and reports the first broken link. With a head
 * that was noted earlier, the chain must contain it: then it was not rebuilt.
 */
export async function verifyTrail(db: Queryable, noted: Head | null): Promise<Verdict> {
  const segments = await db.query<SegmentRow>(sql`
    select name, last_seq, last_hash, dropped_at is not null as is_dropped from sys_audit_segment order by last_seq`);
  const last = segments.findLast((segment) => segment.is_dropped);
  const start: Head = last ? { seq: last.last_seq, hash: last.last_hash } : beginning;
  const known = new Map(segments.map((segment) => [segment.last_seq, segment.last_hash]));
  const erased = await erasedEntries(db);
  let head = start;
  for (;;) {
    const rows = await readEntries(db, head.seq);
    for (const row of rows) {
      const why = faultOf(head, row, { known, noted, erased });
      if (why) return { entries: head.seq - start.seq, head, broken: { seq: head.seq + 1, why } };
      head = { seq: row.seq, hash: row.hash };
    }
    if (rows.length < atOnce) break;
  }
  const end = segments.at(-1)?.last_seq ?? 0;
  const isShort = end > head.seq || (noted !== null && noted.seq > head.seq);
  const why = text('The entries from here to the end are gone.');
  return { entries: head.seq - start.seq, head, broken: isShort ? { seq: head.seq + 1, why } : null };
}

function readEntries(db: Queryable, after: number): Promise<readonly EntryRow[]> {
  return db.query<EntryRow>(sql`
    select seq, coalesce(segment, '') as segment, coalesce(hash, '') as hash, ${entryText} as content,
      coalesce(${saltedHash} = values_hash, false) as is_whole, coalesce(${saltedHash}, '') as values_now
    from sys_audit where seq > ${after}::int4 order by seq limit ${atOnce}::int4`);
}

interface Known {
  /** The last hashes of segments. */
  readonly known: ReadonlyMap<number, string>;
  readonly noted: Head | null;
  readonly erased: ReadonlyMap<number, string>;
}

function faultOf(head: Head, row: EntryRow, { known, noted, erased }: Known): Text | null {
  if (row.seq !== head.seq + 1) return text('The entry is gone.');
  if (row.hash !== hashOf(head.hash, row.seq, row.segment, row.content)) return text('The entry was changed.');
  if (!row.is_whole && erased.get(row.seq) !== row.values_now) return text('The values of the entry were changed.');
  if ((known.get(row.seq) ?? row.hash) !== row.hash) return text('The chain was rebuilt up to here.');
  if (noted?.seq === row.seq && noted.hash !== row.hash) return text('The chain was rebuilt after the head was noted.');
  return null;
}
