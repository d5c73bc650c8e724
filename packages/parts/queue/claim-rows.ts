import { ident, join, type Sql, sql } from '@kontor/database';
import type { Queue, QueueRow } from '@kontor/kernel';
import { domainToSql, type Env, type Model, typedEnv } from '@kontor/orm';
import { parseDomain } from '@kontor/protocol';

/** A row that only this process works on. */
export interface ClaimedRow extends QueueRow {
  /** Unique for the claim: a late result of an earlier claim changes nothing. */
  readonly claim: string;
}

export interface Claim {
  readonly rows: readonly ClaimedRow[];
  /** Given up instead: processes that died have used up their tries. */
  readonly exhausted: readonly number[];
  /** Handed over by processes that died before they knew the outcome. */
  readonly unclear: readonly number[];
}

/** Names the locks of queues among all advisory locks of the database. */
const queueLocks = 0x6b71_7565;
/** Rows that are considered together if some of them may have no room. */
const batch = 200;
const interrupted = 'The process ended in the middle of it.';

interface Candidate {
  readonly id: number;
  readonly attempts: number;
  readonly is_lost: boolean;
  /** The values of the fields with limits, as text. */
  readonly targets: readonly (string | null)[];
}

/**
 * Claims due rows, at most `limit`, and those of processes that died. The env is that of the server, in a transaction.
 */
export async function claimRows(env: Env, queue: Queue, claim: string, limit: number): Promise<Claim> {
  const due = await queue.due(typedEnv(env));
  const model = env.registry.model(queue.model);
  const unclear = await setUnclear(env, queue, model);
  if (due === null) return { rows: [], exhausted: [], unclear };
  const where = due.length > 0 ? domainToSql(env, model, parseDomain(due), 'q') : sql`true`;
  const found = hasLimits(queue)
    ? await chooseWithin(env, queue, model, where, limit)
    : await findDue(env, queue, model, { where, limit, full: [], chosen: [] });
  const exhausted = found.filter(({ attempts }) => attempts >= queue.tries.most);
  const taken = found.filter(({ attempts }) => attempts < queue.tries.most);
  await giveUp(env, queue, model, exhausted);
  const rows = await take(env, queue, model, claim, taken);
  return { rows, exhausted: exhausted.map(({ id }) => id), unclear };
}

function hasLimits({ room }: Queue): boolean {
  return room.inAll !== undefined || (room.targets?.length ?? 0) > 0;
}

/** Rows in these states are still to be done. */
export function openStates({ states }: Pick<Queue, 'states'>): readonly string[] {
  return [...new Set([states.waiting, states.again, ...(states.running === undefined ? [] : [states.running])])];
}

interface Asked {
  readonly where: Sql;
  readonly limit: number;
  /** For each target, the values without room. */
  readonly full: readonly ReadonlySet<string>[];
  readonly chosen: readonly Candidate[];
}

async function findDue(
  env: Env,
  queue: Queue,
  model: Model,
  { where, limit, full, chosen }: Asked,
): Promise<Candidate[]> {
  const table = ident(model.table);
  const open = openStates(queue);
  const { orderKey, room, handover } = queue;
  const alike = orderKey.map((name) => sql`e.${ident(name)} = q.${ident(name)}`);
  const isFirst = sql`not exists (
    select from ${table} e where ${join(alike, sql` and `)} and e.id < q.id and e.state = any(${open}::text[]))`;
  const targets = room.targets?.map(({ field }) => sql`q.${ident(field)}::text`) ?? [];
  const haveRoom = targets.map(
    (target, at) => sql`and (${target} = any(${[...(full[at] ?? [])]}::text[])) is not true`,
  );
  const rows = await env.db.query<Omit<Candidate, 'targets'> & { readonly targets: string }>(sql`
    select q.id, q.attempts, q.locked_by is not null as is_lost, ${listOf(targets)} as targets
    from ${table} q
    where q.state = any(${open}::text[]) and q.next_try <= now() and (q.locked_until is null or q.locked_until <= now())
      and ${handover ? sql`q.${ident(handover.field)} is null` : sql`true`} and q.id <> all(${chosen.map(({ id }) => id)}::int4[]) and ${where} ${orderKey.length > 0 ? sql`and ${isFirst}` : sql``} ${join(haveRoom, sql` `)}
    order by q.next_try, q.id limit ${limit}::int4 for update of q skip locked`);
  return rows.map((row) => ({ ...row, targets: JSON.parse(row.targets) as Candidate['targets'] }));
}

/** Values of columns as a list of texts, in JSON. */
function listOf(columns: readonly Sql[]): Sql {
  return sql`to_json(array[${join(columns)}]::text[])::text`;
}

/** Only one process counts and chooses at a time, so that the limits hold over all of them. */
async function chooseWithin(env: Env, queue: Queue, model: Model, where: Sql, limit: number): Promise<Candidate[]> {
  await env.db.execute(sql`select pg_advisory_xact_lock(${queueLocks}::int4, hashtext(${queue.name}))`);
  const room = await openRoom(env, queue, model, limit);
  const chosen: Candidate[] = [];
  while (!room.isFull()) {
    const found = await findDue(env, queue, model, { where, limit: batch, full: room.full, chosen });
    for (const row of found) if (await room.take(row)) chosen.push(row);
    // Rows without room belong to targets that are known to be full by now.
    if (found.length < batch) break;
  }
  return chosen;
}

async function openRoom(env: Env, { room: { inAll, targets = [] } }: Queue, model: Model, limit: number) {
  const columns = targets.map(({ field }) => sql`${ident(field)}::text`);
  const running = await env.db.query<{ readonly targets: string }>(sql`
    select ${listOf(columns)} as targets from ${ident(model.table)}
    where locked_until > now() and locked_by is not null`);
  const counts = targets.map(() => new Map<string, number>());
  const limits = targets.map(() => new Map<string, number>());
  const full = targets.map(() => new Set<string>());
  let free = Math.min(limit, inAll === undefined ? limit : inAll - running.length);

  function count(values: Candidate['targets']): void {
    for (const [at, value] of values.entries()) {
      if (value !== null) counts[at]?.set(value, (counts[at]?.get(value) ?? 0) + 1);
    }
  }

  async function hasRoom(at: number, value: string): Promise<boolean> {
    const { most } = targets[at] as (typeof targets)[number];
    const known = limits[at] as Map<string, number>;
    if (!known.has(value)) known.set(value, typeof most === 'number' ? most : await most(typedEnv(env), value));
    const isFree = (counts[at]?.get(value) ?? 0) < (known.get(value) as number);
    if (!isFree) full[at]?.add(value);
    return isFree;
  }

  for (const row of running) count(JSON.parse(row.targets) as Candidate['targets']);
  return {
    full,
    isFull: () => free <= 0,
    async take({ targets: values }: Candidate): Promise<boolean> {
      if (free <= 0) return false;
      for (const [at, value] of values.entries()) {
        if (value !== null && !(await hasRoom(at, value))) return false;
      }
      count(values);
      free--;
      return true;
    },
  };
}

async function take(
  env: Env,
  { states, leaseSeconds }: Queue,
  model: Model,
  claim: string,
  rows: readonly Candidate[],
): Promise<readonly ClaimedRow[]> {
  if (rows.length === 0) return [];
  const running = states.running === undefined ? sql`` : sql`state = ${states.running}::text,`;
  const first = model.fields.has('first_try') ? sql`first_try = coalesce(first_try, now()),` : sql``;
  await env.db.execute(sql`
    update ${ident(model.table)} set ${running} ${first} attempts = attempts + 1, locked_by = ${claim},
      locked_until = now() + make_interval(secs => ${leaseSeconds}::int4), write_date = now()
    where id = any(${rows.map(({ id }) => id)}::int4[])`);
  return rows.map(({ id, attempts }) => ({ id, attempts: attempts + 1, claim }));
}

/** The result of work that a dead process handed over is unknown: a user decides about it. */
async function setUnclear(env: Env, queue: Queue, model: Model): Promise<readonly number[]> {
  const { handover } = queue;
  if (handover === undefined) return [];
  const error = model.fields.has('last_error') ? sql`last_error = ${interrupted}::text,` : sql``;
  const rows = await env.db.query<{ readonly id: number }>(sql`
    update ${ident(model.table)} set ${error} state = ${handover.unclear}, locked_by = null, locked_until = null, write_date = now()
    where state = any(${openStates(queue)}::text[]) and ${ident(handover.field)} is not null and locked_until <= now()
    returning id`);
  return rows.map(({ id }) => id);
}

async function giveUp(env: Env, { states }: Queue, model: Model, rows: readonly Candidate[]): Promise<void> {
  if (rows.length === 0) return;
  const lost = rows.filter((row) => row.is_lost).map(({ id }) => id);
  const error = model.fields.has('last_error')
    ? sql`last_error = case when id = any(${lost}::int4[]) then ${interrupted}::text else last_error end,`
    : sql``;
  await env.db.execute(sql`
    update ${ident(model.table)} set ${error} state = ${states.dead}, locked_by = null, locked_until = null,
      write_date = now()
    where id = any(${rows.map(({ id }) => id)}::int4[])`);
}
