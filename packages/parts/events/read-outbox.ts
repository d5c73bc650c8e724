import { databaseHistory, type Sql, sql } from '@kontor/database';
import { nextPlace, type Place, type Position, reached, rowsSince } from '../change-log/read-since.ts';

/** An event as it was written, with those it is for. */
export interface PublishedEvent {
  readonly channel: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly model: string | null;
  readonly companyId: number | null;
  readonly userId: number | null;
}

/** How far the outbox was read. */
export interface EventPosition extends Position {
  /** Names the database and its history: another after a failover, and where a backup was restored. */
  readonly history: string;
}

/** Runs a statement on the connection on which the outbox is followed. */
export type Ask = <Row extends object>(statement: Sql) => Promise<Row[]>;

const pageSize = 2_000;
const outbox = sql`sys_outbox`;
const columns = sql`id, channel, payload, model, company_id, user_id`;

export async function currentPosition(ask: Ask): Promise<EventPosition> {
  const [row] = await ask<EventPosition>(sql`select ${reached(outbox)}, ${databaseHistory} as history`);
  return row as EventPosition;
}

export type Hand = (events: readonly PublishedEvent[]) => void;

/** Hands over every event that was committed after `since`, each once, in the order of writing, and returns where to go on. */
export async function readOutbox(ask: Ask, since: EventPosition, hand: Hand): Promise<EventPosition> {
  const { history } = since;
  for (let place: Place = { since, until: null, after: 0 }; ; ) {
    const rows: readonly Row[] = await ask<Row>(sql`
      select ${reached(outbox)}, o.*
      from (select) as always left join (${rowsSince(outbox, columns, place, pageSize)}) o on true order by o.id`);
    const { snapshot, last } = rows[0] as Row;
    const until = place.until ?? { snapshot, last };
    const found = rows.filter((row) => row.id !== null);
    if (found.length > 0) hand(found.flatMap(toEvents));
    place = nextPlace(place, until, { count: found.length, last: found.at(-1)?.id ?? 0 }, pageSize);
    if (place.until === null) return { ...until, history };
  }
}

/**
 * The same over the loss of a connection. Nothing is handed over when the history is another one: numbers of transactions and ids say
 * nothing of it.
 */
export async function readOverGap(ask: Ask, since: EventPosition, hand: Hand): Promise<EventPosition> {
  const now = await currentPosition(ask);
  return now.history === since.history ? readOutbox(ask, since, hand) : now;
}

interface Row extends Position {
  readonly id: number | null;
  readonly channel: string;
  readonly payload: string;
  readonly model: string | null;
  readonly company_id: number | null;
  readonly user_id: number | null;
}

/** A row that stands for many records is an event for each. */
function toEvents(row: Row): readonly PublishedEvent[] {
  const { channel, model, company_id: companyId, user_id: userId } = row;
  const { ids, ...payload } = JSON.parse(row.payload) as Record<string, unknown>;
  const about = { channel, model, companyId, userId };
  const isOfMany = model !== null && channel.startsWith('record.') && Array.isArray(ids);
  if (!isOfMany) return [{ ...about, payload: ids === undefined ? payload : { ...payload, ids } }];
  return ids.map((id: unknown) => ({ ...about, payload: { ...payload, id } }));
}
