import { createHash } from 'node:crypto';
import type { OldPosition, Place, Position } from './read-since.ts';

/** A position in the feed: everything before it was delivered. */
export interface FeedCursor {
  /** The database history that it belongs to. */
  readonly history: string;
  /** The time of the change, in seconds. */
  readonly time: number;
  readonly place: Place;
}

const maxId = 2_147_483_647;
const maxTransaction = 2n ** 63n - 1n;

/**
 * `history-time-since`, and within a read `history-time-since-until-after`. A position is `xmin:xmax:running/last`,
 * where the running transactions are relative to `xmin`, in base 36.
 */
export function writeCursor({ history, time, place: { since, until, after } }: FeedCursor): string {
  const place = until === null ? writeSince(since) : `${writeSince(since)}-${writePosition(until)}-${after}`;
  return `${history}-${time}-${place}`;
}

function writeSince(since: Place['since']): string {
  return 'xact' in since ? `${since.xact}.${since.id}` : writePosition(since);
}

function writePosition({ snapshot, last }: Position): string {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':');
  const shifts = running === '' ? [] : running.split(',').map((one) => (BigInt(one) - BigInt(xmin)).toString(36));
  return `${xmin}:${xmax}:${shifts.join()}/${last}`;
}

const oldPattern = /^([0-9a-f]{12})-(\d{1,20})-(\d{1,10})-(\d{1,12})$/;
const pattern = /^([0-9a-f]{12})-(\d{1,12})-([^-]{1,1000})(?:-([^-]{1,1000})-(\d{1,10}))?$/;

/** Null: it is invalid. Cursors of the old format are valid until they are too old. */
export function parseCursor(text: string): FeedCursor | null {
  const [, history = '', xact = '', oldId = '', oldTime = ''] = oldPattern.exec(text) ?? [];
  if (history !== '') {
    const since = { xact, id: Number(oldId) };
    return isId(since.id) ? { history, time: Number(oldTime), place: { since, until: null, after: 0 } } : null;
  }
  const [, known = '', time = '', from = '', to, id = '0'] = pattern.exec(text) ?? [];
  const since = readOld(from) ?? readPosition(from);
  const until = to === undefined ? null : readPosition(to);
  const isWhole = since !== null && (to === undefined || until !== null) && isId(Number(id));
  return isWhole ? { history: known, time: Number(time), place: { since, until, after: Number(id) } } : null;
}

function isId(id: number): boolean {
  return id <= maxId;
}

function readOld(text: string): OldPosition | null {
  const [, xact = '', id = ''] = /^(\d{1,20})\.(\d{1,10})$/.exec(text) ?? [];
  return xact !== '' && isId(Number(id)) ? { xact, id: Number(id) } : null;
}

function readPosition(text: string): Position | null {
  const [, xmin = '', xmax = '', shifts = '', last = ''] =
    /^(\d{1,19}):(\d{1,19}):((?:[0-9a-z]{1,12}(?:,[0-9a-z]{1,12})*)?)\/(\d{1,10})$/.exec(text) ?? [];
  if (xmin === '' || !isId(Number(last))) return null;
  const first = BigInt(xmin);
  const running = shifts === '' ? [] : shifts.split(',').map((shift) => first + fromBase36(shift));
  const inOrder = [first - 1n, ...running, BigInt(xmax)].every(
    (one, at, all) => at === 0 || one > (all[at - 1] as bigint),
  );
  const isSnapshot =
    first > 0n && BigInt(xmax) <= maxTransaction && (running.length === 0 ? BigInt(xmax) >= first : inOrder);
  return isSnapshot ? { snapshot: `${xmin}:${xmax}:${running.join()}`, last: Number(last) } : null;
}

function fromBase36(digits: string): bigint {
  return [...digits].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
}

/** Identifies a history of a database in cursors. */
export function shortHistory(history: string): string {
  return createHash('sha256').update(history).digest('hex').slice(0, 12);
}
