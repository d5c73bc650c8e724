import { type Queryable, sql } from '@kontor/database';
import { eventInsert } from '../events/outbox.ts';
import { type ClaimedJob, maxFailures } from './claim-jobs.ts';
import { nextCall } from './schedule.ts';

export interface JobOutcome {
  /** By the database's clock. */
  readonly endedAt: Date;
  /** The error, for the administrator; null if there is none. */
  readonly error: string | null;
}

const minuteMs = 60_000;

/** The state of a job after a run. */
export interface NextRun {
  /** The schedule's next time; null if there is none. */
  readonly next: Date | null;
  /** When it is retried before that. */
  readonly retryAt: Date | null;
  readonly failures: number;
  readonly isPaused: boolean;
}

export function planNextRun(job: ClaimedJob, { endedAt, error }: JobOutcome): NextRun {
  const next = nextOrNone(job, endedAt);
  if (error === null) return { next, retryAt: null, failures: 0, isPaused: next === null };
  const failures = job.failures + 1;
  const isPaused = failures >= maxFailures || next === null;
  const pauseMs = minuteMs * 2 ** (failures - 1);
  return {
    next,
    failures,
    isPaused,
    retryAt: isPaused || !job.isActive ? null : new Date(endedAt.getTime() + pauseMs),
  };
}

/** A schedule that cannot be parsed has no next time: the job is paused, and runs only on request. */
function nextOrNone(job: ClaimedJob, endedAt: Date): Date | null {
  try {
    return nextCall(job.schedule, endedAt);
  } catch {
    return null;
  }
}

/**
 * Stores the result of the run and the time of the next one, and publishes the change of the job. False if the lease was lost in
 * the meantime: another process has the job then.
 */
export async function finishJob(
  db: Queryable,
  owner: string,
  job: ClaimedJob,
  outcome: JobOutcome,
  nextRun: NextRun,
): Promise<boolean> {
  const { endedAt, error } = outcome;
  const { next, retryAt, failures, isPaused } = nextRun;
  const rows = await db.query(sql`
    with done as (
      update sys_cron set
        next_call = case when next_call <= ${endedAt.toISOString()}::timestamptz
          then coalesce(${next?.toISOString() ?? null}::timestamptz, next_call) else next_call end,
        run_at = case when run_at is not distinct from ${job.runAt}::timestamptz
          then ${retryAt?.toISOString() ?? null}::timestamptz else run_at end,
        active = active and not ${isPaused}::boolean,
        last_call = ${job.startedAt.toISOString()}::timestamptz, last_error = ${error}, failures = ${failures}::int4,
        locked_by = null, locked_until = null, write_date = now()
      where id = ${job.id}::int4 and locked_by = ${owner} returning id
    ), told as (${eventInsert(tellUpdated)}), kept as (
      update sys_cron_run set state = ${error === null ? 'done' : 'failed'}, error = ${error},
        ended_at = ${endedAt.toISOString()}::timestamptz
      where id = ${job.runId}::int4 and state = 'running'
    )
    select id from done`);
  return rows.length > 0;
}

/** The event of `done`, a query of the job's id. */
const tellUpdated = sql`
  select 'record.updated' as channel, jsonb_build_object('model', 'sys.cron', 'id', id) as payload, 'sys.cron' as model,
    null::int4 as company_id, null::int4 as user_id
  from done`;

/** Extends the leases of jobs that still run. */
export async function extendLeases(
  db: Queryable,
  owner: string,
  ids: readonly number[],
  seconds: number,
): Promise<void> {
  await db.execute(sql`
    update sys_cron set locked_until = now() + make_interval(secs => ${seconds}::int4)
    where id = any(${[...ids]}::int4[]) and locked_by = ${owner}`);
}

/** Releases jobs that cannot be finished in time; another process starts them again at once. */
export async function releaseJobs(db: Queryable, owner: string, jobs: readonly ClaimedJob[]): Promise<void> {
  await db.execute(sql`
    with given_back as (
      update sys_cron set locked_by = null, locked_until = null
      where id = any(${jobs.map((job) => job.id)}::int4[]) and locked_by = ${owner}
    )
    update sys_cron_run set state = 'lost', ended_at = now(), error = 'The server was stopped.'
    where id = any(${jobs.map((job) => job.runId)}::int4[]) and state = 'running'`);
}
