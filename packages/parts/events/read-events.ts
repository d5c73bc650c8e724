import { databaseHistory, join, type Sql, sql } from '@kontor/database';
import { changedSince, lastInLog } from '../change-log/follow-log.ts';
import { nextPlace, type Place, type Position, reached, rowsSince } from '../change-log/read-since.ts';

/** An event with its recipients. */
export interface PublishedEvent {
  readonly channel: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly model: string | null;
  readonly companyId: number | null;
  readonly userId: number | null;
}

/** How far the change log and the outbox were read. */
export interface EventPosition extends Position {
  /** The highest change that was visible; `last` is that of the outbox. */
  readonly last_change: number;
  /** Identifies the database and its history: it changes after a failover, and when a backup is restored. */
  readonly history: string;
}

/** Runs a statement on the connection on which events are followed. */
export type Ask = <Row extends object>(statement: Sql) => Promise<Row[]>;

const pageSize = 2_000;
const outbox = sql`sys_outbox`;
const here = sql`${reached(outbox)}, ${lastInLog} as last_change`;

export async function currentPosition(ask: Ask): Promise<EventPosition> {
  const [row] = await ask<EventPosition>(sql`select ${here}, ${databaseHistory} as history`);
  return row as EventPosition;
}

export type Hand = (events: readonly PublishedEvent[]) => void;

/** Where the read of a table ends; null if it has ended. */
type Reading = Place | null;

/**
 * Delivers every event committed after `since`, each once, and returns the position to continue from: first record
 * changes, from the change log, then messages, from the outbox, each in write order. Both are read under one snapshot.
 */
export async function readEvents(ask: Ask, since: EventPosition, hand: Hand): Promise<EventPosition> {
  let changes: Reading = { since: { snapshot: since.snapshot, last: since.last_change }, until: null, after: 0 };
  let messages: Reading = { since, until: null, after: 0 };
  let end: EventPosition | null = null;
  while (changes || messages) {
    const rows: readonly Row[] = await ask<Row>(sql`
      select ${here}, o.* from (select) as always left join (${pageOf(changes, messages)}) o on true order by o.source, o.id`);
    const { snapshot, last, last_change } = rows[0] as Row;
    end ??= { snapshot, last, last_change, history: since.history };
    const changed = rows.flatMap((row): ChangedRow[] => (row.source === 'change' ? [row] : []));
    const told = rows.flatMap((row): MessageRow[] => (row.source === 'message' ? [row] : []));
    if (changed.length + told.length > 0) hand([...recordEvents(changed), ...told.map(toEvent)]);
    changes = following(changes, { snapshot: end.snapshot, last: end.last_change }, changed);
    messages = following(messages, end, told);
  }
  return end as EventPosition;
}

/**
 * The same after the loss of a connection. Nothing is delivered if the history changed, because transaction numbers and
 * ids then mean nothing.
 */
export async function readOverGap(ask: Ask, since: EventPosition, hand: Hand): Promise<EventPosition> {
  const now = await currentPosition(ask);
  return now.history === since.history ? readEvents(ask, since, hand) : now;
}

function following(place: Reading, until: Position, found: readonly { readonly id: number }[]): Reading {
  if (!place) return null;
  const next = nextPlace(place, until, { count: found.length, last: found.at(-1)?.id ?? 0 }, pageSize);
  return next.until === null ? null : next;
}

function pageOf(changes: Reading, messages: Reading): Sql {
  const pages = [
    ...(changes
      ? [
          sql`select 'change' as source, id, model, company_id, operation as channel, xact::text as xact, res_id,
            null::text as payload, null::int4 as user_id from (${changedSince(changes, pageSize)}) as changed`,
        ]
      : []),
    ...(messages
      ? [
          sql`select 'message' as source, id, model, company_id, channel, null::text as xact, null::int4 as res_id,
            payload::text as payload, user_id
          from (${rowsSince(outbox, sql`id, model, company_id, channel, payload, user_id`, messages, pageSize)}) as told`,
        ]
      : []),
  ];
  return join(pages, sql` union all `);
}

interface ChangedRow {
  readonly source: 'change';
  readonly id: number;
  readonly xact: string;
  readonly model: string;
  readonly res_id: number;
  readonly channel: 'create' | 'write' | 'unlink';
  readonly company_id: number | null;
}
interface MessageRow {
  readonly source: 'message';
  readonly id: number;
  readonly channel: string;
  readonly payload: string;
  readonly model: string | null;
  readonly company_id: number | null;
  readonly user_id: number | null;
}
type Row = EventPosition & (ChangedRow | MessageRow | { readonly source: null });

const channels = { create: 'record.created', write: 'record.updated', unlink: 'record.deleted' } as const;

/** A record that was created and then written in one transaction is one event. Keys have the order in which jsonb keeps them. */
function recordEvents(rows: readonly ChangedRow[]): readonly PublishedEvent[] {
  const seen = new Map<string, ChangedRow>();
  for (const row of rows) {
    const key = `${row.xact} ${row.model} ${row.res_id}`;
    if (!seen.has(key) || row.channel === 'unlink') seen.set(key, row);
  }
  return [...seen.values()].map(({ channel, model, res_id: id, company_id: companyId }) => ({
    ...{ channel: channels[channel], payload: { id, model }, model, companyId, userId: null },
  }));
}

function toEvent({ channel, payload, model, company_id: companyId, user_id: userId }: MessageRow): PublishedEvent {
  return { channel, payload: JSON.parse(payload) as PublishedEvent['payload'], model, companyId, userId };
}
