import { dateIn } from '@kontor/protocol';

/** A day on which a test can rely, for users in the zone `tz`. */
export interface Noon {
  readonly tz: string;
  readonly today: string;
}

/**
 * A zone in which it is about noon, and the date there, so that the date does not change while tests run. Give the test user this
 * zone; `today` then means the same in the test, on the server and in the browser.
 */
export function noon(now = new Date()): Noon {
  // Names of this kind count westwards: `Etc/GMT+5` is five hours behind.
  const behind = now.getUTCHours() - 12;
  const tz = `Etc/GMT${behind < 0 ? '-' : '+'}${Math.abs(behind)}`;
  return { tz, today: dateIn(tz, now) };
}
