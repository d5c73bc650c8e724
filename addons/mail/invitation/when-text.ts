/** When a meeting takes place. */
interface Span {
  readonly start: string;
  readonly stop: string;
  readonly all_day: boolean;
}

/** The time of a meeting, in the format and time zone of the recipient; whole days are the same everywhere. */
export function whenText({ start, stop, all_day: isWhole }: Span, lang: string, zone: string): string {
  const locale = lang.replace('_', '-');
  const [from, to] = [new Date(start), new Date(stop)];
  if (!isWhole) {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: zone });
    return format.formatRange(from, to);
  }
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
  return days.formatRange(from, new Date(Math.max(from.getTime(), to.getTime() - 1)));
}
