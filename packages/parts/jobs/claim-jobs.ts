import { type Database, type Queryable, type SessionLocks, sql, type Transaction } from '@kontor/database';
import type { IntervalUnit, Schedule } from './schedule.ts';

/** A crash is noticed after this long; running work extends its lease every few seconds. */
export const leaseSeconds = 10;
/** Failures in a row after which a job is paused. */
export const maxFailures = 5;
export const interruptedMessage = 'The process ended in the middle of it.';

/** A due job that only this process may run now. */
export interface ClaimedJob {
  readonly id: number;
  readonly runId: number;
  readonly name: string;
  readonly handler: string;
  readonly schedule: Schedule;
  /** The extra run that was requested when it was claimed; a later request is another. */
  readonly runAt: string | null;
  readonly isActive: boolean;
  readonly failures: number;
  /** By the database's clock, which decides what is due. */
  readonly startedAt: Date;
}

export interface ClaimOptions {
  readonly database: Database;
  readonly locks: SessionLocks;
  readonly owner: string;
  readonly limit: number;
  /** Modules that are active here; jobs of others wait. */
  readonly modules: readonly string[];
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly handler: string;
  readonly expression: string | null;
  readonly interval_number: number;
  readonly interval_unit: IntervalUnit;
  readonly timezone: string;
  readonly active: boolean;
  readonly failures: number;
  readonly starts_at: string;
  readonly run_at: string | null;
  readonly locked_by: string | null;
  readonly now: string;
}

export interface Claim {
  readonly jobs: readonly ClaimedJob[];
  /** Paused instead: the process that ran them died too often. */
  readonly exhausted: readonly ExhaustedJob[];
}
export type ExhaustedJob = Pick<ClaimedJob, 'id' | 'name'>;

/** Claims due jobs: each is locked by its row while it is claimed, and by a lease and a session lock while it runs. */
export async function claimJobs(options: ClaimOptions): Promise<Claim> {
  const taken: number[] = [];
  try {
    const claim = await options.database.transaction(
      async (tx) => {
        const due = await lockDue(tx, options);
        const free: Row[] = [];
        for (const row of due) {
          if (!(await options.locks.tryLock(row.id))) continue;
          taken.push(row.id);
          if (await isAtRest(tx, row.id)) free.push(row);
          else await options.locks.unlock(row.id);
        }
        const exhausted = free.filter((row) => row.locked_by !== null && row.failures + 1 >= maxFailures);
        await giveUp(tx, exhausted);
        const jobs = await begin(
          tx,
          options.owner,
          free.filter((row) => !exhausted.includes(row)),
        );
        return { jobs, exhausted };
      },
      { retries: 0 },
    );
    await Promise.all(claim.exhausted.map(({ id }) => options.locks.unlock(id)));
    return claim;
  } catch (error) {
    await Promise.all(taken.map((id) => options.locks.unlock(id)));
    throw error;
  }
}

/** Names the locks of steps of jobs among all advisory locks of the database. */
const stepLocks = 0x6b73_7465;

/** Whether no transaction of an earlier run is still active: it may outlive its process and commit. */
async function isAtRest(tx: Transaction, id: number): Promise<boolean> {
  const [row] = await tx.query<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${stepLocks}::int4, ${id}::int4) as free`,
  );
  return row?.free === true;
}

/** Starts a transaction of a run that no other run can start at the same time; fails if another process has the job by now. */
export async function enterStep(tx: Queryable, { id, runId }: Pick<ClaimedJob, 'id' | 'runId'>): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${stepLocks}::int4, ${id}::int4)`);
  const running = await tx.query(
    sql`select 1 as found from sys_cron_run where id = ${runId}::int4 and state = 'running'`,
  );
  if (running.length === 0) throw new Error('Another process has begun this job.');
}

function lockDue(tx: Transaction, { limit, modules }: ClaimOptions): Promise<Row[]> {
  return tx.query<Row>(sql`
    select id, name, handler, nullif(trim(expression), '') as expression, interval_number, interval_unit, timezone, active,
      failures, extract(epoch from coalesce(starts_at, next_call))::text as starts_at, run_at::text as run_at, locked_by,
      extract(epoch from now())::text as now
    from sys_cron
    where (run_at <= now() or (active and run_at is null and next_call <= now()))
      and (locked_until is null or locked_until < now())
      and split_part(handler, '.', 1) = any(${[...modules]}::text[])
    order by priority, coalesce(run_at, next_call), id
    limit ${limit}::int4 for update skip locked`);
}

/** An expired lease belonged to a process that died: that counts as a failure, or it would crash forever. */
async function begin(tx: Transaction, owner: string, rows: readonly Row[]): Promise<readonly ClaimedJob[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const lost = rows.filter((row) => row.locked_by !== null).map((row) => row.id);
  await endLostRuns(tx, lost);
  const runs = await tx.query<{ id: number; cron_id: number }>(sql`
    with claimed as (
      update sys_cron set locked_by = ${owner}, locked_until = now() + make_interval(secs => ${leaseSeconds}::int4),
        failures = failures + (id = any(${lost}::int4[]))::int4
      where id = any(${ids}::int4[]) returning id
    )
    insert into sys_cron_run (cron_id, state, started_at, process, create_date, write_date)
    select id, 'running', now(), ${owner}, now(), now() from claimed returning id, cron_id`);
  const runOf = new Map(runs.map((run) => [run.cron_id, run.id]));
  return rows.map((row) => toJob(row, runOf.get(row.id) as number, lost.includes(row.id)));
}

async function giveUp(tx: Transaction, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await endLostRuns(tx, ids);
  await tx.execute(sql`
    update sys_cron set active = false, run_at = null, failures = failures + 1, last_error = ${interruptedMessage},
      locked_by = null, locked_until = null
    where id = any(${ids}::int4[])`);
}

async function endLostRuns(tx: Transaction, cronIds: readonly number[]): Promise<void> {
  if (cronIds.length === 0) return;
  await tx.execute(sql`
    update sys_cron_run set state = 'lost', ended_at = now(), error = ${interruptedMessage}
    where cron_id = any(${[...cronIds]}::int4[]) and state = 'running'`);
}

function toJob(row: Row, runId: number, wasLost: boolean): ClaimedJob {
  return {
    id: row.id,
    runId,
    name: row.name,
    handler: row.handler,
    runAt: row.run_at,
    isActive: row.active,
    failures: row.failures + (wasLost ? 1 : 0),
    startedAt: fromEpoch(row.now),
    schedule: {
      expression: row.expression,
      intervalNumber: row.interval_number,
      intervalUnit: row.interval_unit,
      timezone: row.timezone,
      startsAt: fromEpoch(row.starts_at),
    },
  };
}

function fromEpoch(seconds: string): Date {
  return new Date(Math.round(Number(seconds) * 1000));
}
