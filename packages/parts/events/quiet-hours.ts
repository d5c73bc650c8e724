import type { NoticeSpec } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { fromLocal, toLocal } from '@kontor/protocol';

/** The key of the personal setting: `{ from: '22:00', to: '07:00', urgent: true }`, in the person's time zone. */
const quietSetting = 'quiet';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * When a notification by mail may be sent to a user; null: now.
 * ```ts
 * export async function sendQuietly(env: Env, userId: number, mail: ReturnType<typeof composeMail>) {
 *   const at = await quietUntil(env, userId, 'Europe/Berlin', {});
 *   await queueMail(env, { ...mail, ...(at === null ? {} : { at }) });
 * }
 * ```
 */
export async function quietUntil(
  env: { sudo(): unknown; now?: Date },
  userId: number,
  tz: string,
  { isUrgent = false }: Pick<NoticeSpec, 'isUrgent'>,
): Promise<string | null> {
  // As the server: the sender may not read the choices of others, and learns nothing from this.
  const server = env.sudo() as Env;
  const [row] = await server.model('sys.user.setting').searchRead(
    [
      ['user_id', '=', userId],
      ['key', '=', quietSetting],
    ],
    ['value'],
  );
  const hours = quietHoursIn(row?.value);
  if (hours === null || (isUrgent && hours.urgent)) return null;
  return quietEnd(server.now.getTime(), tz, hours);
}

export interface QuietHours {
  /** Minutes of the day. */
  readonly from: number;
  readonly to: number;
  readonly urgent: boolean;
}

/** Null: none, or not readable. */
export function quietHoursIn(value: unknown): QuietHours | null {
  const { from, to, urgent } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const [start, end] = [minuteOf(from), minuteOf(to)];
  return start === null || end === null || start === end ? null : { from: start, to: end, urgent: urgent === true };
}

function minuteOf(time: unknown): number | null {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(String(time)) ?? [];
  return hour === undefined ? null : Number(hour) * 60 + Number(minute);
}

/** The end of the quiet hours that an instant is in; null: it is in none. Across a clock change they end when the clock says so. */
export function quietEnd(now: number, tz: string, { from, to }: QuietHours): string | null {
  const local = toLocal(now, tz);
  const midnight = Math.floor(local / dayMs) * dayMs;
  const minute = (local - midnight) / minuteMs;
  const isInside = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isInside) return null;
  const day = minute < to ? midnight : midnight + dayMs;
  return new Date(fromLocal(day + to * minuteMs, tz)).toISOString();
}
