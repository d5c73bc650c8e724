import { createHash } from 'node:crypto';
import { databaseHistory, ident, type Queryable, sql, wasWrittenHere } from '@kontor/database';
import { type Env, type Field, type Model, mayReadField, pastRules, type ReadQuery } from '@kontor/orm';
import { condition, conjoin, type DomainNode, KontorError, text, type WireRecord } from '@kontor/protocol';
import { type FeedPlace, type FeedQuery, toFeedQuery, writeCursor } from './feed-query.ts';

const daySeconds = 86_400;
/** A day less than changes are kept: they are deleted by when their transaction began, the feed is in the order of its number. */
const cursorDays = 59;

/** So many changes are looked at with one statement, and with one call. */
const window = { least: 100, most: 5_000, perCall: 50_000 };
/** So many in vain are worth a row that says so, which spares the next call to look at them again. */
const worthSkipping = 1_000;
const maxId = 2_147_483_647;

/**
 * What changed after a cursor. A transaction is shown once every one with a lower number has ended, so that whatever ends later
 * comes after whatever was shown. Each row says what is to be done now: to read the record, or to drop it.
 */
export async function readFeed(env: Env, asked: ReadQuery): Promise<readonly WireRecord[]> {
  return feedRows(env, toFeedQuery(env, asked));
}

export async function feedRows(env: Env, query: FeedQuery): Promise<readonly WireRecord[]> {
  if (query.limit === 0) return [];
  const rows: WireRecord[] = [];
  let place: FeedPlace = query.after === null || query.after === 'now' ? { xact: '0', id: 0 } : query.after;
  let inVain = 0;
  let size = query.after === 'now' ? 0 : Math.max(query.limit, window.least);
  for (let passed = 0; ; size = Math.min(size * 2, window.most)) {
    const step = await nextChanges(env.db, query, place, size);
    const now = checkCursor(query, step);
    const found = await visibleRows(env, query, step);
    rows.push(...found.map((row) => toRow(env, query, row, step)));
    if (rows.length >= query.limit) return rows.slice(0, query.limit);
    place = step.count < size || size === 0 ? { xact: `${BigInt(step.horizon) - 1n}`, id: maxId } : step.last;
    inVain = found.length > 0 ? step.count : inVain + step.count;
    passed += step.count;
    if (step.count === size && size > 0 && passed < window.perCall) continue;
    const isOld = query.after !== null && query.after !== 'now' && now - query.after.time > daySeconds;
    const isTold = query.after === 'now' || inVain >= worthSkipping || (isOld && rows.length === 0);
    return isTold ? [...rows, toSkip(query, place, step)] : rows;
  }
}

interface ChangeRow extends FeedPlace {
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
  /** The lowest transaction that has not ended. */
  readonly horizon: string;
  /** How many changes were looked at, of whatever model, and the last of them. */
  readonly count: number;
  readonly last: FeedPlace;
  readonly changes: readonly ChangeRow[];
}

/**
 * The lowest transaction that has not ended, of this database: others on the same server are left out where they are known to be
 * others. Those that ended since the snapshot was taken are not known any more, and count.
 */
const horizon = sql`
  select coalesce(
    (select min(x) from pg_snapshot_xip(pg_current_snapshot()) x where not exists (
      select from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.transactionid = x::xid
        and a.datid <> (select oid from pg_database where datname = current_database()))),
    pg_snapshot_xmax(pg_current_snapshot()))::text::numeric`;

async function nextChanges(db: Queryable, query: FeedQuery, { xact, id }: FeedPlace, size: number): Promise<Step> {
  const rows = await db.query<Record<string, unknown>>(sql`
    with ended(horizon) as materialized (${horizon}), passed as materialized (
      select id, xact, model, res_id from sys_change
      where xact < (select horizon from ended) and (xact, id) > (${xact}::numeric, ${id}::int4) and ${wasWrittenHere}
      order by xact, id limit ${size}::int4
    ), asked as (
      select c.id, c.xact::text as xact, c.set_id as change_set, c.model, c.res_id, c.operation,
        array_to_json(array(select jsonb_object_keys(c.values)))::text as fields, extract(epoch from c.create_date)::int8::text as time,
        to_char(c.create_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
      from passed p join sys_change c on c.id = p.id
      where p.model = any(${[...query.models.keys()]}::text[])
        and (${query.ids}::int4[] is null or p.res_id = any(${query.ids}::int4[]))
    ), last as (select id, xact from passed order by xact desc, id desc limit 1)
    select ${databaseHistory} as history, extract(epoch from now())::int8::text as now,
      (select horizon::text from ended) as horizon, (select count(*)::int4 from passed) as count,
      (select id from last) as last_id, (select xact::text from last) as last_xact, asked.*
    from (select) as always left join asked on true
    order by asked.xact::numeric, asked.id`);
  const [first] = rows as [Record<string, unknown>];
  return {
    history: createHash('sha256')
      .update(first.history as string)
      .digest('hex')
      .slice(0, 12),
    now: Number(first.now),
    horizon: first.horizon as string,
    count: first.count as number,
    last: { id: (first.last_id ?? id) as number, xact: (first.last_xact ?? xact) as string },
    changes: rows
      .filter((row) => row.id !== null)
      .map(
        (row) => ({ ...row, fields: JSON.parse(row.fields as string), time: Number(row.time) }) as unknown as ChangeRow,
      ),
  };
}

/** Numbers of transactions mean nothing in another history, and what was deleted meanwhile is not in the feed any more. */
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

/** What the caller may know of, each record once a transaction. */
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

/** Asked also when none is there: a domain that the caller may not use is refused, whatever it would find. */
async function meantOf(
  env: Env,
  model: string,
  ids: readonly number[],
  domain: DomainNode,
): Promise<ReadonlySet<number>> {
  return new Set(await env.model(model).search(conjoin(condition('id', 'in', ids), domain)));
}

/** The last change of each record in each transaction stands for all of them there. */
function oncePerTransaction(changes: readonly ChangeRow[]): readonly ChangeRow[] {
  const merged = new Map<string, ChangeRow>();
  for (const change of changes) {
    const key = `${change.xact} ${change.model} ${change.res_id}`;
    const before = merged.get(key);
    // Taken out first, so that it stands at the place of its last change.
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
 * Those of the changes before which the caller could read the record, which they cannot now. What it was like is what it is like,
 * with the old values of this change and of those since; of a deleted one, those alone.
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
  const names = [...model.fields.values()].flatMap(({ name, column, through, kind, spec }) => {
    return (column === name && !kind.isOpaque && !kind.isFile && !spec.secret) || through !== null ? [name] : [];
  });
  const table = ident(model.table);
  const rows = await env.db.arrays(sql`
    select f.id from sys_change f
      cross join lateral (
        select not exists (select 1 from ${table} r where r.id = f.res_id) as is_gone,
          coalesce(jsonb_object_agg(v.key, v.old), '{}') as was
        from (
          select distinct on (v.key) v.key, v.value -> 'old' as old from sys_change c, jsonb_each(c.values) v
          where c.model = f.model and c.res_id = f.res_id and c.id >= f.id and v.key = any(${names}::text[])
          order by v.key, c.id
        ) v
      ) kept
      cross join lateral jsonb_populate_record(
        (select r from ${table} r where r.id = f.res_id), kept.was || jsonb_build_object('id', f.res_id)) past
    where f.id = any(${hidden.map((row) => row.id)}::int4[]) and ${rules}`);
  return new Set(rows.map(([id]) => id as number));
}

function toRow(env: Env, query: FeedQuery, row: ChangeRow, { history }: Step): WireRecord {
  const { id, model, res_id, operation, at, change_set } = row;
  const known = query.models.get(model) as Model;
  const fields = row.fields.filter((name) => {
    const field = known.fields.get(name);
    return field !== undefined && mayReadField(env, field);
  });
  // What became of a record that one may not read is not told by the names of its fields either.
  const shown = { fields: operation === 'unlink' ? [] : fields.sort(), at, change_set };
  const display_name = `${operation} ${model} ${res_id}`;
  return asked(query, id, {
    cursor: writeCursor({ ...row, history }),
    model,
    res_id,
    operation,
    ...shown,
    display_name,
  });
}

function toSkip(query: FeedQuery, place: FeedPlace, { history, now }: Step): WireRecord {
  const empty = { model: null, res_id: null, fields: [], at: null, change_set: null, display_name: 'skip' };
  return asked(query, 0, { cursor: writeCursor({ ...place, history, time: now }), operation: 'skip', ...empty });
}

function asked({ fields }: FeedQuery, id: number, row: Readonly<Record<string, unknown>>): WireRecord {
  const known = Object.entries(row).filter(([name]) => fields === null || fields.has(name));
  return { id, ...Object.fromEntries(known) } as WireRecord;
}
