import { sql } from '@kontor/database';
import type { Env } from '@kontor/orm/author';
import { type IntervalUnit, nextCall } from './schedule.ts';

interface NewJob {
  readonly expression?: string | null;
  readonly timezone?: string;
}

/** A job with an expression waits for its first time; one with an interval begins at once. */
export function firstCall({ expression, timezone = 'UTC' }: NewJob, now: Date): { readonly next_call?: string } {
  if (!expression) return {};
  const next = nextOrNone({ expression, timezone, intervalNumber: 1, intervalUnit: 'days', startsAt: now }, now);
  return next ? { next_call: next.toISOString() } : {};
}

/** Of jobs whose expression or time zone is new: when they run next. */
export async function reschedule(env: Env, ids: readonly number[]): Promise<void> {
  const jobs = await env
    .sudo()
    .model('sys.cron')
    .read(ids, ['expression', 'interval_number', 'interval_unit', 'timezone', 'next_call']);
  for (const job of jobs) {
    if (!job.expression) continue;
    const schedule = {
      expression: job.expression,
      intervalNumber: job.interval_number,
      intervalUnit: job.interval_unit as IntervalUnit,
      timezone: job.timezone,
      startsAt: new Date(job.next_call),
    };
    const next = nextOrNone(schedule, env.now);
    if (next) await env.db.execute(sql`update sys_cron set next_call = ${next.toISOString()} where id = ${job.id}`);
  }
}

/** What cannot be read is refused at the end of the operation, with a message at the field. */
function nextOrNone(schedule: Parameters<typeof nextCall>[0], now: Date): Date | null {
  try {
    return nextCall(schedule, now);
  } catch {
    return null;
  }
}
