import { addDays, addMonths, dateIn, type Env, fromLocal, startOfMonth } from '@kontor/addon';

export type Every = 'hour' | 'day' | 'workday' | 'week' | 'month';

const hourMs = 3_600_000;

/** The next moment of a schedule, in the time zone of the main company. */
export async function nextMoment(env: Env, every: Every, at: string): Promise<string> {
  const [company] = await env.sudo().model('core.company').searchRead([], ['tz'], { order: 'id', limit: 1 });
  return momentAfter(env.now, every, at, company?.tz ?? 'UTC').toISOString();
}

export function momentAfter(now: Date, every: Every, at: string, tz: string): Date {
  if (every === 'hour') return new Date(Math.floor(now.getTime() / hourMs + 1) * hourMs);
  const today = dateIn(tz, now);
  let day = every === 'month' ? startOfMonth(today) : today;
  for (;;) {
    const moment = instantOn(day, at, tz);
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    const fits = every === 'workday' ? weekday >= 1 && weekday <= 5 : every !== 'week' || weekday === 1;
    if (fits && moment > now) return moment;
    day = every === 'month' ? addMonths(day, 1) : addDays(day, 1);
  }
}

/** A day and a time on the wall, as an instant. */
export function instantOn(day: string, at: string, tz: string): Date {
  return new Date(fromLocal(Date.parse(`${day}T${at}Z`), tz));
}
