/** A time as a clock on the wall shows it, kept in the fields of a UTC date. */
export type WallTime = Date;

/** What the clock on the wall shows at an instant. */
export function toWall(instant: Date, timezone: string): WallTime {
  return new Date(instant.getTime() + offsetMs(instant, timezone));
}

/**
 * When the clock on the wall shows this for the first time. A time that the clock jumps over becomes the same time after the
 * jump: half past two in a night without it is half past three.
 */
export function fromWall(wall: WallTime, timezone: string): Date {
  const before = offsetMs(new Date(wall.getTime() - 86_400_000), timezone);
  const after = offsetMs(new Date(wall.getTime() + 86_400_000), timezone);
  const candidates = [before, after].map((offset) => new Date(wall.getTime() - offset));
  const matching = candidates.filter((instant) => toWall(instant, timezone).getTime() === wall.getTime());
  const [first] = matching.sort((a, b) => a.getTime() - b.getTime());
  return first ?? new Date(wall.getTime() - before);
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function offsetMs(instant: Date, timezone: string): number {
  const whole = Math.floor(instant.getTime() / 1000) * 1000;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatter(timezone).formatToParts(whole)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timezone: string): Intl.DateTimeFormat {
  const known = formatters.get(timezone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone: timezone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  formatters.set(timezone, made);
  return made;
}
