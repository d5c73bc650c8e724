import { addDays, addMonths, fromLocal, toLocal } from '@kontor/protocol';
import { Cron } from 'croner';

export type IntervalUnit = 'minutes' | 'hours' | 'days' | 'weeks' | 'months';

export interface Schedule {
  /** Used instead of the interval if set. */
  readonly expression: string | null;
  readonly intervalNumber: number;
  readonly intervalUnit: IntervalUnit;
  readonly timezone: string;
  /** Intervals count from here, so that a late run does not shift later ones. */
  readonly startsAt: Date;
}

const unitMs = { minutes: 60_000, hours: 3_600_000 } as const;
const unitDays = { days: 1, weeks: 7 } as const;

/**
 * The first time after `after`; null if there is none. Minutes and hours are absolute; days, weeks, months and
 * expressions use local time, and a clock change neither skips nor repeats one.
 */
export function nextCall(schedule: Schedule, after: Date): Date | null {
  if (schedule.expression) return read(schedule.expression, schedule.timezone).nextRun(after);
  const { intervalUnit: unit, intervalNumber: number, startsAt } = schedule;
  if (unit === 'minutes' || unit === 'hours') {
    const step = number * unitMs[unit];
    const passed = Math.floor((after.getTime() - startsAt.getTime()) / step);
    return new Date(startsAt.getTime() + Math.max(0, passed + 1) * step);
  }
  let count = Math.max(0, roughCount(schedule, after) - 2);
  let next = occurrence(schedule, count);
  while (next <= after) next = occurrence(schedule, ++count);
  return next;
}

/** The mistake in an expression, as a message for its author; null if it is valid. */
export function expressionProblem(expression: string): string | null {
  try {
    const isNever = read(expression, 'UTC').nextRun() === null;
    return isNever ? 'This never comes.' : null;
  } catch (error) {
    return (error as Error).message.replace(/^\w+: /, '');
  }
}

function read(expression: string, timezone: string): Cron {
  return new Cron(expression, { timezone, paused: true });
}

function occurrence({ intervalNumber, intervalUnit, timezone, startsAt }: Schedule, count: number): Date {
  const [day, time] = new Date(toLocal(startsAt.getTime(), timezone)).toISOString().split('T') as [string, string];
  const steps = count * intervalNumber;
  const moved =
    intervalUnit === 'months'
      ? addMonths(day, steps)
      : addDays(day, steps * unitDays[intervalUnit as keyof typeof unitDays]);
  return new Date(fromLocal(Date.parse(`${moved}T${time}`), timezone));
}

function roughCount({ intervalNumber, intervalUnit, startsAt }: Schedule, after: Date): number {
  const days = (after.getTime() - startsAt.getTime()) / 86_400_000;
  const step = intervalUnit === 'months' ? 31 : unitDays[intervalUnit as keyof typeof unitDays];
  return Math.floor(days / (step * intervalNumber));
}
