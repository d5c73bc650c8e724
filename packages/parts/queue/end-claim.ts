import { ident, type Queryable, sql } from '@kontor/database';
import type { Queue, QueueEnd } from '@kontor/kernel';
import type { Env, Model } from '@kontor/orm';
import { type ClaimedRow, openStates } from './claim-rows.ts';

interface HeldRow {
  readonly first_try: string | null;
  readonly now: string;
}

/** Locks the row; null if the claim was lost in the meantime, or the row has been ended otherwise. */
export async function holdRow(env: Env, queue: Queue, model: Model, row: ClaimedRow): Promise<HeldRow | null> {
  const first = model.fields.has('first_try') ? sql`extract(epoch from first_try)::text` : sql`null::text`;
  const [held] = await env.db.query<HeldRow>(sql`
    select ${first} as first_try, extract(epoch from now())::text as now from ${ident(model.table)}
    where id = ${row.id}::int4 and locked_by = ${row.claim} and state = any(${openStates(queue)}::text[]) for update`);
  return held ?? null;
}

/** The effective result: a row whose tries are used up is not tried again. */
export function settledEnd({ tries }: Queue, { attempts }: ClaimedRow, held: HeldRow, end: QueueEnd): QueueEnd {
  if (end.is !== 'again') return end;
  const sinceMs = held.first_try === null ? 0 : (Number(held.now) - Number(held.first_try)) * 1_000;
  const isUsedUp = attempts >= tries.most || (tries.withinMs !== undefined && sinceMs >= tries.withinMs);
  return isUsedUp ? { ...end, is: 'dead' } : end;
}

/** Writes the result of a locked row. */
export async function writeEnd(
  env: Env,
  { states, tries, handover }: Queue,
  model: Model,
  { id, attempts }: ClaimedRow,
  { is, at, error, state, wasTried }: QueueEnd & { readonly wasTried: boolean },
): Promise<void> {
  // A failure before the work counts as well, or it would be tried forever.
  const isCounted = is === 'again' || (wasTried && is !== 'left');
  const stored = state ?? { done: states.done, again: states.again, dead: states.dead, left: states.waiting }[is];
  // A row that is skipped keeps its state, unless claiming had changed that.
  const nextState = is === 'left' && state === undefined && states.running === undefined ? sql`state` : sql`${stored}`;
  const next =
    is !== 'again'
      ? sql`next_try`
      : at
        ? sql`${at.toISOString()}::timestamptz`
        : sql`now() + make_interval(secs => ${tries.waitMs(attempts) / 1_000}::float8)`;
  const told = is === 'left' ? sql`last_error` : sql`${error?.slice(0, 1_000) ?? null}::text`;
  const isOpen = is === 'again' || is === 'left';
  const handed = handover && isOpen ? sql`${ident(handover.field)} = null,` : sql``;
  await env.db.execute(sql`
    update ${ident(model.table)} set ${handed} state = ${nextState}, next_try = ${next}, attempts = attempts - ${isCounted ? 0 : 1}::int4,
      ${model.fields.has('last_error') ? sql`last_error = ${told},` : sql``} locked_by = null, locked_until = null,
      write_date = now()
    where id = ${id}::int4`);
}

export async function extendClaims(
  db: Queryable,
  { leaseSeconds }: Queue,
  table: string,
  rows: readonly ClaimedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    update ${ident(table)} q set locked_until = now() + make_interval(secs => ${leaseSeconds}::int4)
    from ${claimsOf(rows)} where q.id = c.id and q.locked_by = c.claim`);
}

/**
 * Releases rows that cannot be finished in time: the try does not count, and another process claims them at once. Rows that were
 * handed over are not released.
 */
export async function releaseClaims(
  db: Queryable,
  { states, handover }: Queue,
  table: string,
  rows: readonly ClaimedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const state = states.running === undefined ? sql`q.state` : sql`${states.waiting}`;
  await db.execute(sql`
    update ${ident(table)} q set state = ${state}, attempts = q.attempts - 1, locked_by = null, locked_until = null
    from ${claimsOf(rows)} where q.id = c.id and q.locked_by = c.claim
      and ${handover ? sql`q.${ident(handover.field)} is null` : sql`true`}`);
}

function claimsOf(rows: readonly ClaimedRow[]) {
  return sql`unnest(${rows.map(({ id }) => id)}::int4[], ${rows.map(({ claim }) => claim)}::text[]) as c(id, claim)`;
}
