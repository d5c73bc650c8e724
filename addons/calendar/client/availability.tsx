import {
  Button,
  formatTime,
  latestOnly,
  locale,
  type RecordValues,
  request,
  showError,
  t,
  timeZone,
} from '@kontor/client';
import { useEffect, useState } from 'react';

interface Busy {
  readonly from: string;
  readonly until: string;
  readonly people: readonly BusyPerson[];
  readonly next: { readonly start: string; readonly stop: string } | null;
}
interface BusyPerson {
  readonly key: string;
  readonly name: string;
  readonly busy: readonly { readonly start: string; readonly stop: string }[];
  readonly isBusy: boolean;
}

interface AvailabilityProps {
  /** A meeting, saved or not. */
  readonly record: RecordValues;
  onChoose(start: string): void;
}

/** When the people of a meeting are busy on its day, and the next time at which all are free. */
export function Availability({ record, onChoose }: AvailabilityProps) {
  const query = queryOf(record);
  const busy = useBusy(query);
  if (query === '' || !busy) return null;
  const { people, next } = busy;
  const isClash = people.some(({ isBusy }) => isBusy);
  return (
    <div
      className="stack one-column gap-1 items-start above-2 below-2 calendar-busy"
      role="group"
      aria-label={t('Availability')}
    >
      {people.map((person) => (
        <Row key={person.key} person={person} busy={busy} record={record} />
      ))}
      {isClash && next && (
        <Button className="start within target high-auto pad-y-1" icon="calendar" onClick={() => onChoose(next.start)}>
          {t('Next time when all are free: {time}', { time: dayAndTime(next.start) })}
        </Button>
      )}
      {isClash && !next && <p className="small mut">{t('There is no time in the next 60 days when all are free.')}</p>}
    </div>
  );
}

function Row({
  person,
  busy,
  record,
}: {
  readonly person: BusyPerson;
  readonly busy: Busy;
  readonly record: RecordValues;
}) {
  const [from, until] = [Date.parse(busy.from), Date.parse(busy.until)];
  const place = (start: string, stop: string) => {
    const share = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - from) / (until - from)));
    return { insetInlineStart: `${100 * share(start)}%`, inlineSize: `${100 * (share(stop) - share(start))}%` };
  };
  const times = person.busy.map(({ start, stop }) => `${formatTime(start)} – ${formatTime(stop)}`).join(', ');
  return (
    <div className="stack level full calendar-busy-row">
      <span className="small cut cut-wide" dir="auto">
        {person.name}
      </span>
      <span
        className="anchor clip framed round-s surface calendar-busy-bar"
        role="img"
        aria-label={times ? t('Busy: {times}', { times }) : t('Free all day')}
        title={times || t('Free all day')}
      >
        {person.busy.map(({ start, stop }) => (
          <i key={start} className="pin calendar-busy-span" style={place(start, stop)} />
        ))}
        <i className="pin calendar-busy-own" style={place(String(record.start), String(record.stop))} />
      </span>
      <span className={`small ${person.isBusy ? 'bad' : 'ok'}`}>{person.isBusy ? t('Busy') : t('Free')}</span>
    </div>
  );
}

function dayAndTime(at: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', timeZone: timeZone() } as const;
  return `${new Intl.DateTimeFormat(locale(), day).format(new Date(at))}, ${formatTime(at)}`;
}

/** Empty while there is nothing to ask: without a time, for whole days, and for a meeting with oneself. */
function queryOf({ id, start, stop, all_day: isWhole, tz, ...record }: RecordValues): string {
  const [users, guests] = [idsOf(record.user_ids), idsOf(record.partner_ids)];
  const isTimed = [start, stop].every((at) => !Number.isNaN(Date.parse(String(at))));
  if (isWhole === true || !isTimed || !tz || users.length + guests.length < 2) return '';
  const people = { users: users.join(), guests: guests.join() };
  return String(
    new URLSearchParams({
      ...people,
      start: String(start),
      stop: String(stop),
      tz: String(tz),
      event: String(id || ''),
    }),
  );
}

function idsOf(value: unknown): readonly number[] {
  if (!Array.isArray(value)) return [];
  return value.map((one) => Number(typeof one === 'object' && one !== null ? one.id : one)).filter((id) => id > 0);
}

function useBusy(query: string): Busy | null {
  const [busy, setBusy] = useState<Busy | null>(null);
  useEffect(() => {
    if (query === '') return;
    let isGone = false;
    const load = latestOnly(
      async () => (await request<Busy>(`/web/calendar/busy?${query}`)).body,
      (found) => !isGone && setBusy(found),
    );
    load().catch(showError);
    return () => {
      isGone = true;
    };
  }, [query]);
  return busy;
}
