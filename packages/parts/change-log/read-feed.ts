import { compile, databaseHistory, ident, type Queryable, type Sql, sql } from '@kontor/database';
import { type Env, type Field, type Model, mayReadEverywhere, pastRules, type ReadQuery } from '@kontor/orm';
import { condition, conjoin, type DomainNode, KontorError, text, type WireRecord } from '@kontor/protocol';
import { shortHistory, writeCursor } from './cursor.ts';
import { type FeedQuery, toFeedQuery } from './feed-query.ts';
import { beginning, nextPlace, type Place, type Position, reached, rowsSince } from './read-since.ts';

const daySeconds = 86_400;
/**
 * A day less than changes are kept: they are deleted by the start of their transaction, which may be long before its
 * end.
 */
const cursorDays = 59;

/** The number of changes read with one statement, and with one call. */
const window = { least: 100, most: 5_000, perCall: 50_000 };
/** After this many irrelevant changes a row says so, so that the next call need not read them again. */
const worthSkipping = 1_000;

/**
 * The changes after a cursor, in log order: as soon as they are committed, whatever else is running. Each row says what
 * to do now: read the record, or drop it.
 */
export async function readFeed(env: Env, asked: ReadQuery): Promise<readonly WireRecord[]> {
  return feedRows(env, toFeedQuery(env, asked));
}

export async function feedRows(env: Env, query: FeedQuery): Promise<readonly WireRecord[]> {
  if (query.limit === 0) return [];
  const isNow = query.after === 'now';
  const rows: WireRecord[] = [];
  let place: Place = query.after === null || query.after === 'now' ? fromBeginning : query.after.place;
  /** The read of the cursor may have ended before what is committed now. */
  let isEarlier = place.until !== null;
  let inVain = 0;
  let size = isNow ? 0 : Math.max(query.limit, window.least);
  for (let passed = 0; ; size = Math.min(size * 2, window.most)) {
    const step = await nextChanges(env.db, query, place, size);
    const now = checkCursor(query, step);
    const found = await visibleRows(env, query, step);
    const next = nextPlace(place, step.until, { count: step.count, last: step.lastId }, size);
    const isEnd = isNow || step.count < size;
    const here = place;
    // The last row of a complete read points after it, so that the next call need not look for its end.
    const placeOf = (row: ChangeRow): Place =>
      isEnd && row === found.at(-1) ? next : { since: here.since, until: step.until, after: row.id };
    rows.push(...found.map((row) => toRow(env, query, row, { place: placeOf(row), history: step.history })));
    if (rows.length >= query.limit) return rows.slice(0, query.limit);
    place = isNow ? { since: step.until, until: null, after: 0 } : next;
    inVain = found.length > 0 ? step.count : inVain + step.count;
    passed += step.count;
    const goesOn = !isNow && (isEarlier || !isEnd);
    if (isEnd) isEarlier = false;
    if (goesOn && passed < window.perCall) continue;
    const isOld = query.after !== null && query.after !== 'now' && now - query.after.time > daySeconds;
    const isTold = isNow || inVain >= worthSkipping || (isOld && rows.length === 0);
    return isTold ? [...rows, toSkip(query, place, step)] : rows;
  }
}

const fromBeginning: Place = { since: beginning, until: null, after: 0 };

interface ChangeRow {
  readonly id: number;
  readonly xact: string;
  readonly change_set: number;
  readonly model: string;
  readonly res_id: number;
  readonly operation: 'create' | 'write' | 'unlink';
  readonly fields: readonly string[];
  readonly at: string;
  readonly time: number;
}

interface Step {
  readonly history: string;
  readonly now: number;
  /** Where the current read ends. */
  readonly until: Position;
  /** How many changes were read, of any model, and the last of them. */
  readonly count: number;
  readonly lastId: number;
  readonly changes: readonly ChangeRow[];
}

const log = sql`sys_change`;

async function nextChanges(db: Queryable, query: FeedQuery, place: Place, size: number): Promise<Step> {
  const rows = await db.query<Record<string, unknown>>(sql`
    with passed as materialized (${rowsSince(log, sql`id, model, res_id`, place, size)}), asked as (
      select c.id, c.xact::text as xact, c.set_id as change_set, c.model, c.res_id, c.operation,
        array_to_json(array(select jsonb_object_keys(c.values)))::text as fields, extract(epoch from c.create_date)::int8::text as time,
        to_char(c.create_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
      from passed p join sys_change c on c.id = p.id
      where p.model = any(${[...query.models.keys()]}::text[])
        and (${query.ids}::int4[] is null or p.res_id = any(${query.ids}::int4[]))
    )
    select ${databaseHistory} as history, extract(epoch from now())::int8::text as now, ${reached(log)},
      (select count(*)::int4 from passed) as count, (select max(id) from passed) as last_id, asked.*
    from (select) as always left join asked on true
    order by asked.id`);
  const [first] = rows as [Record<string, unknown>];
  return {
    history: shortHistory(first.history as string),
    now: Number(first.now),
    until: place.until ?? { snapshot: first.snapshot as string, last: first.last as number },
    count: first.count as number,
    lastId: (first.last_id ?? 0) as number,
    changes: rows
      .filter((row) => row.id !== null)
      .map(
        (row) => ({ ...row, fields: JSON.parse(row.fields as string), time: Number(row.time) }) as unknown as ChangeRow,
      ),
  };
}

/** Transaction numbers mean nothing in another history, and changes deleted meanwhile are no longer in the feed. */
function checkCursor({ after }: FeedQuery, { history, now }: Step): number {
  if (after === null || after === 'now') return now;
  if (after.history !== history) {
    throw new KontorError('CONFLICT', 'This cursor is of another history of the database. Read the records again.', {
      field: 'cursor',
      reason: 'history',
      hint: 'Take the cursor of ["cursor", ">", "now"], then read all records.',
    });
  }
  if (now - after.time <= cursorDays * daySeconds) return now;
  throw new KontorError(
    'CONFLICT',
    text('This cursor is older than {days} days. Read the records again.', { days: cursorDays }),
    {
      field: 'cursor',
      reason: 'expired',
      hint: 'Take the cursor of ["cursor", ">", "now"], then read all records.',
    },
  );
}

/** What the caller may know, each record once per transaction. */
async function visibleRows(env: Env, { models, domain }: FeedQuery, { changes }: Step): Promise<readonly ChangeRow[]> {
  const rows = oncePerTransaction(changes);
  const shown = new Map<ChangeRow, ChangeRow['operation']>();
  for (const [name, model] of models) {
    const own = rows.filter((row) => row.model === name);
    if (own.length === 0) continue;
    const ids = [...new Set(own.map((row) => row.res_id))];
    const there = new Set(await env.model(name).search([['id', 'in', ids]]));
    const hidden = own.filter((row) => !there.has(row.res_id) && row.operation !== 'create');
    const meant = domain === null ? there : await meantOf(env, name, ids, domain);
    const gone = await seenBefore(env, model, hidden, domain);
    for (const row of own) {
      if (meant.has(row.res_id)) shown.set(row, row.operation === 'unlink' ? 'write' : row.operation);
      else if (gone.has(row.id)) shown.set(row, 'unlink');
    }
  }
  return rows.flatMap((row) => {
    const operation = shown.get(row);
    return operation === undefined ? [] : [{ ...row, operation }];
  });
}

/** Checked even if there are none: a domain that the caller may not use is rejected, whatever it would match. */
async function meantOf(
  env: Env,
  model: string,
  ids: readonly number[],
  domain: DomainNode,
): Promise<ReadonlySet<number>> {
  return new Set(await env.model(model).search(conjoin(condition('id', 'in', ids), domain)));
}

/** The last change of each record in a transaction stands for all of them. */
function oncePerTransaction(changes: readonly ChangeRow[]): readonly ChangeRow[] {
  const merged = new Map<string, ChangeRow>();
  for (const change of changes) {
    const key = `${change.xact} ${change.model} ${change.res_id}`;
    const before = merged.get(key);
    // Removed first, so that it is at the position of its last change.
    merged.delete(key);
    merged.set(key, before ? mergedChange(before, change) : change);
  }
  return [...merged.values()];
}

function mergedChange(before: ChangeRow, change: ChangeRow): ChangeRow {
  const operation = before.operation === 'create' && change.operation === 'write' ? 'create' : change.operation;
  return { ...change, operation, fields: [...new Set([...before.fields, ...change.fields])] };
}

/**
 * The changes before which the caller could read the record, which they cannot now. The earlier record is the current
 * one, with the old values of this change and of later ones; for a deleted one, only those. The changes are read once,
 * the last one first, however many are checked.
 */
async function seenBefore(
  env: Env,
  model: Model,
  hidden: readonly ChangeRow[],
  domain: DomainNode | null,
): Promise<ReadonlySet<number>> {
  if (hidden.length === 0) return new Set();
  const mayDiffer = (list: Field) => sql`(kept.is_gone or jsonb_exists(kept.was, ${list.name}))`;
  const rules = pastRules(env, model, { alias: 'past', mayDiffer, domain });
  if (rules === null) return new Set(hidden.map((row) => row.id));
  const past = await oldValues(env.db, model, hidden, namesIn(rules, model));
  const ids = [...past.keys()];
  const owners = new Map(hidden.map((row) => [row.id, row.res_id]));
  const table = ident(model.table);
  const rows = await env.db.arrays(sql`
    select f.id from unnest(
        ${ids}::int4[], ${ids.map((id) => owners.get(id) as number)}::int4[], ${[...past.values()]}::text[]
      ) as f(id, res_id, was)
      cross join lateral (
        select not exists (select 1 from ${table} r where r.id = f.res_id) as is_gone, f.was::jsonb as was
      ) kept
      cross join lateral jsonb_populate_record(
        (select r from ${table} r where r.id = f.res_id), kept.was || jsonb_build_object('id', f.res_id)) past
    where ${rules}`);
  return new Set(rows.map(([id]) => id as number));
}

/** Fields whose past values the rules read. The others stay as they are: a long text would be sent once for each change. */
function namesIn(rules: Sql, model: Model): readonly string[] {
  const { text: words } = compile(rules);
  const isRead = (column: string) => words.includes(compile(ident('past', column)).text);
  return [...model.fields.values()].flatMap(({ name, column, through, kind, spec }) => {
    const isValue = column === name && !kind.isOpaque && !kind.isFile && !spec.secret;
    return through !== null || (isValue && isRead(column)) ? [name] : [];
  });
}

/**
 * For each change, the values before it of all fields that it or a later one changed, as JSON text, which keeps digits
 * exact.
 */
async function oldValues(
  db: Queryable,
  model: Model,
  hidden: readonly ChangeRow[],
  names: readonly string[],
): Promise<ReadonlyMap<number, string>> {
  const first = Math.min(...hidden.map((row) => row.id));
  const records = [...new Set(hidden.map((row) => row.res_id))];
  const changes = await db.query<{ id: number; res_id: number; olds: string | null }>(sql`
    select c.id, c.res_id, (
        select json_object_agg(v.key, coalesce((v.value -> 'old')::text, 'null'))::text
        from jsonb_each(c.values) v where v.key = any(${[...names]}::text[])
      ) as olds
    from sys_change c
    where c.model = ${model.name} and c.res_id = any(${records}::int4[]) and c.id >= ${first}::int4 order by c.id desc`);
  const asked = new Set(hidden.map((row) => row.id));
  const known = new Map<number, Map<string, string>>();
  const past = new Map<number, string>();
  for (const { id, res_id: record, olds } of changes) {
    const was = known.get(record) ?? new Map<string, string>();
    known.set(record, was);
    for (const [key, old] of Object.entries(JSON.parse(olds ?? '{}') as Record<string, string>)) was.set(key, old);
    if (asked.has(id)) past.set(id, `{${[...was].map(([key, old]) => `${JSON.stringify(key)}:${old}`).join()}}`);
  }
  return past;
}

interface Told {
  readonly place: Place;
  readonly history: string;
}

function toRow(env: Env, query: FeedQuery, row: ChangeRow, { place, history }: Told): WireRecord {
  const { id, model, res_id, operation, at, change_set } = row;
  const known = query.models.get(model) as Model;
  const fields = row.fields.filter((name) => {
    const field = known.fields.get(name);
    return field !== undefined && mayReadEverywhere(env, field);
  });
  // Field names of a record that the caller may not read are not revealed either.
  const shown = { fields: operation === 'unlink' ? [] : fields.sort(), at, change_set };
  const display_name = `${operation} ${model} ${res_id}`;
  return asked(query, id, {
    cursor: writeCursor({ history, time: row.time, place }),
    model,
    res_id,
    operation,
    ...shown,
    display_name,
  });
}

function toSkip(query: FeedQuery, place: Place, { history, now }: Step): WireRecord {
  const empty = { model: null, res_id: null, fields: [], at: null, change_set: null, display_name: 'skip' };
  return asked(query, 0, { cursor: writeCursor({ history, time: now, place }), operation: 'skip', ...empty });
}

function asked({ fields }: FeedQuery, id: number, row: Readonly<Record<string, unknown>>): WireRecord {
  const known = Object.entries(row).filter(([name]) => fields === null || fields.has(name));
  return { id, ...Object.fromEntries(known) } as WireRecord;
}
