import { toLocal } from '@kontor/addon';

interface Span {
  readonly start: string;
  readonly stop: string;
  readonly all_day: boolean;
  /** The zone in which it was made: whole days are days there. */
  readonly tz: string;
}

/** When a meeting is, as a reader writes it, on the clocks of their zone. */
export function whenText({ start, stop, all_day: isWhole, tz }: Span, lang: string, zone: string): string {
  const locale = lang.replace('_', '-');
  const [from, to] = [new Date(start), new Date(stop)];
  if (!isWhole) {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: zone });
    return format.formatRange(from, to);
  }
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
  const [first, last] = [toLocal(from.getTime(), tz), toLocal(to.getTime(), tz) - 1];
  return days.formatRange(new Date(first), new Date(Math.max(first, last)));
}
