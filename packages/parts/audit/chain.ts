import { createHash } from 'node:crypto';
import { type Database, type Queryable, type Sql, sql } from '@kontor/database';
import { describedChanges } from '../change-log/change-set.ts';
import { beginInLog, type LogPage, nextInLog } from '../change-log/follow-log.ts';
import { personName } from '../identity/person-name.ts';

/** The end of the chain, or the start of its remaining part. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

export const beginning: Head = { seq: 0, hash: '0'.repeat(64) };

/** The content of an entry as one reproducible text. It contains values only as a hash. */
export const entryText: Sql = sql`jsonb_build_array(
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), kind, model, res_id, count, uid, who, address, via,
  request_id, set_id, values_hash)::text`;

export const saltedHash: Sql = sql`encode(sha256(convert_to(salt || values::text, 'UTF8')), 'hex')`;

export function hashOf(before: string, seq: number, segment: string, content: string): string {
  return createHash('sha256').update(`${before}\n${seq}\n${segment}\n${content}`).digest('hex');
}

const entriesAtOnce = 5_000;

/**
 * Adds committed changes to the chain, in small transactions. Writers do not wait for it, and it does not wait for them; only one
 * process does this at a time.
 */
export async function extendChain(database: Database, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await database.transaction((tx) => extendOnce(tx))));
}

/** The same to its end, in the caller's transaction. */
export async function extendWhole(tx: Queryable): Promise<void> {
  while (await extendOnce(tx));
}

/** Whether there may be more. */
async function extendOnce(tx: Queryable): Promise<boolean> {
  await lockChain(tx);
  const noted = await sealAll(tx);
  const next = await nextInLog(tx, await readCursor(tx), entriesAtOnce);
  const page = next ?? (await beginInLog(tx, isMissing));
  for (let at = 0; at < page.ids.length; at += entriesAtOnce) {
    await chainChanges(tx, page.ids.slice(at, at + entriesAtOnce));
  }
  const isMore = page.isMore || page.ids.length > 0;
  if (isMore || !next) await keepCursor(tx, page);
  return isMore || noted > 0;
}

/**
 * If there is no position in the log, or it belongs to another history of the database: sets that have no entry and do not belong
 * to a dropped month.
 */
const isMissing = sql`
  not exists (select from sys_audit a where a.set_id = s.id) and s.create_date >= coalesce((
    select to_timestamp(max(name), 'YYYY-MM') + interval '1 month' from sys_audit_segment where dropped_at is not null),
    '-infinity')`;

/** The position of the log in the chain. */
async function readCursor(tx: Queryable): Promise<string | null> {
  const [row] = await tx.query<{ cursor: string }>(sql`
    select cursor from sys_audit_segment where cursor is not null order by last_seq desc limit 1`);
  return row?.cursor ?? null;
}

async function keepCursor(tx: Queryable, { cursor }: LogPage): Promise<void> {
  await tx.execute(sql`
    update sys_audit_segment set cursor = ${cursor}
    where name = (select name from sys_audit_segment order by last_seq desc limit 1)`);
}

/** For the transaction: of two that would append to the same end, one waits. */
export async function lockChain(tx: Queryable): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('kontor.audit'))`);
}

export const newSalt: Sql = sql`replace(gen_random_uuid()::text, '-', '')`;

interface NewEntry extends Waiting {
  readonly who: string | null;
  readonly salt: string;
  readonly values_hash: string;
}

/** Writes changes into the chain, with their positions. */
async function chainChanges(tx: Queryable, ids: readonly number[]): Promise<void> {
  const rows = await tx.query<NewEntry>(sql`
    select id, who, salt, values_hash, ${entryText} as content
    from (
      select id, at, operation as kind, model, res_id, null::int4 as count, uid, ${personName(sql`uid`)} as who, address, via,
        request_id, set_id, salt, ${saltedHash} as values_hash
      from (select *, ${newSalt} as salt from (${describedChanges(ids)}) as taken) as given) as entry
    order by id`);
  if (rows.length === 0) return;
  const places = await takePlaces(tx, rows);
  // A name may change between the two statements, so the hashed one is stored; values change only under the lock of the
  // chain.
  await tx.execute(sql`
    insert into sys_audit (at, kind, model, res_id, uid, who, address, via, request_id, set_id, values, salt, values_hash,
      seq, hash, segment, create_date, write_date)
    select at, operation, model, res_id, uid, place.who, address, via, request_id, set_id, values, place.salt, place.values_hash,
      place.seq, place.hash, ${places.segment}, now(), now()
    from (${describedChanges(ids)}) as taken join unnest(${rows.map(({ id }) => id)}::int4[], ${rows.map(({ who }) => who)}::text[],
      ${rows.map(({ salt }) => salt)}::text[], ${rows.map((row) => row.values_hash)}::text[], ${places.seqs}::int4[],
      ${places.hashes}::text[]) as place(id, who, salt, values_hash, seq, hash) on place.id = taken.id
    order by place.seq`);
}

interface Waiting {
  readonly id: number;
  readonly content: string;
  readonly [column: string]: unknown;
}

/** Assigns positions to all pending entries. Returns how many there were. */
async function sealAll(tx: Queryable): Promise<number> {
  let sealed = 0;
  for (let count = 1; count > 0; sealed += count) count = await seal(tx);
  return sealed;
}

async function seal(tx: Queryable): Promise<number> {
  const rows = await tx.query<Waiting>(sql`
    select id, ${entryText} as content from sys_audit where seq is null order by id limit ${entriesAtOnce}::int4`);
  if (rows.length === 0) return 0;
  const places = await takePlaces(tx, rows);
  await tx.execute(sql`
    update sys_audit a set seq = place.seq, hash = place.hash, segment = ${places.segment}
    from unnest(${rows.map(({ id }) => id)}::int4[], ${places.seqs}::int4[], ${places.hashes}::text[]) as place(id, seq, hash)
    where a.id = place.id`);
  return rows.length;
}

interface Places {
  readonly segment: string;
  readonly seqs: readonly number[];
  readonly hashes: readonly string[];
}

/** The next positions of the chain, one for each entry in order; the chain ends with them from now on. */
async function takePlaces(tx: Queryable, entries: readonly Waiting[]): Promise<Places> {
  const { segment, ...head } = await readHead(tx);
  const seqs = entries.map((_, index) => head.seq + 1 + index);
  let { hash } = head;
  const hashes = entries.map(({ content }, index) => {
    hash = hashOf(hash, head.seq + 1 + index, segment, content);
    return hash;
  });
  await tx.execute(sql`
    insert into sys_audit_segment (name, first_seq, last_seq, last_hash, create_date, write_date)
    values (${segment}, ${head.seq + 1}::int4, ${head.seq + entries.length}::int4, ${hash}, now(), now())
    on conflict (name) do update set last_seq = excluded.last_seq, last_hash = excluded.last_hash, write_date = now()`);
  return { segment, seqs, hashes };
}

/** The end of the chain, and the month of new entries: never before the last one, whatever the clock says. */
async function readHead(tx: Queryable): Promise<Head & { readonly segment: string }> {
  const [row] = await tx.query<{ seq: number | null; hash: string | null; segment: string }>(sql`
    select last_seq as seq, last_hash as hash, greatest(name, now_month) as segment
    from (select to_char(now() at time zone 'UTC', 'YYYY-MM') as now_month) as clock
      left join (select * from sys_audit_segment order by last_seq desc limit 1) as last on true`);
  const segment = row?.segment as string;
  return row?.seq && row.hash ? { seq: row.seq, hash: row.hash, segment } : { ...beginning, segment };
}

/** An event that is not a change of a record. */
export interface NotedEntry {
  readonly kind: 'read' | 'export' | 'print' | 'retention' | 'erase' | 'sign_in' | 'sign_in_failed';
  readonly model: string | null;
  /** For a single record. */
  readonly resId?: number | null;
  readonly count: number | null;
  readonly uid: number;
  readonly address: string | null;
  readonly via: string | null;
  readonly requestId: string | null;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Written at once, and durable before the data is sent; it is chained later. */
export async function noteEntry(db: Queryable, entry: NotedEntry): Promise<void> {
  const { kind, model, resId = null, count, uid, address, via, requestId, values } = entry;
  await db.execute(sql`
    insert into sys_audit (at, kind, model, res_id, count, uid, who, address, via, request_id, values, salt, values_hash,
      create_date, write_date)
    select now(), ${kind}, ${model}, ${resId}::int4, ${count}::int4, uid, ${personName(sql`uid`)}, ${address}, ${via}, ${requestId}, values, salt,
      ${saltedHash}, now(), now()
    from (select ${JSON.stringify(values)}::jsonb as values, ${newSalt} as salt, ${uid || null}::int4 as uid) as given`);
}
