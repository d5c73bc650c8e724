import { isMailAddress } from '@kontor/addon';
import { durationOf, timeOf, zoneOf } from './calendar-time.ts';
import { type Component, type ContentLine, lineOf, plainValue, readCalendar } from './content-lines.ts';

/** What an attendee says: nothing yet, or one of these. */
export type InvitationAnswer = 'yes' | 'maybe' | 'no';

export interface CalendarPerson {
  readonly name: string;
  readonly address: string;
}

/** A meeting that an e-mail is about (iTIP, RFC 5546), within bounds. */
export interface Invitation {
  /** `request`: an invitation or a change of one; `cancel`: it does not take place; `reply`: an attendee answers ours. */
  readonly kind: 'request' | 'cancel' | 'reply';
  readonly uid: string;
  readonly sequence: number;
  /** The line that names one meeting of a series; null for all. */
  readonly recurrence: string | null;
  readonly title: string;
  /** ISO 8601. Of whole days, midnight in UTC. */
  readonly start: string;
  /** Whole days end with the first day after them. */
  readonly stop: string;
  readonly allDay: boolean;
  /** The time zone in which a series keeps its time; null if it is not known. */
  readonly tz: string | null;
  readonly place: string;
  /** The rule of a series (RRULE); empty for one meeting. */
  readonly repeats: string;
  readonly organiser: CalendarPerson | null;
  readonly attendees: readonly (CalendarPerson & { readonly answer: InvitationAnswer | null })[];
}

const kinds: Readonly<Record<string, Invitation['kind']>> = { REQUEST: 'request', CANCEL: 'cancel', REPLY: 'reply' };
const answers: Readonly<Record<string, InvitationAnswer>> = { ACCEPTED: 'yes', TENTATIVE: 'maybe', DECLINED: 'no' };
const maxAttendees = 100;
const dayMs = 86_400_000;

/** The meeting of a calendar file; null for a calendar that asks and answers nothing, and for what cannot be read. */
export function readInvitation(text: string): Invitation | null {
  const calendar = readCalendar(text);
  const kind = kinds[(calendar && lineOf(calendar, 'METHOD')?.value.trim().toUpperCase()) ?? ''];
  const events = calendar?.parts.filter(({ name }) => name === 'VEVENT') ?? [];
  // The changed meetings of a series stand beside the series.
  const event = events.find((each) => lineOf(each, 'RECURRENCE-ID') === null) ?? events[0];
  const uid = oneLine(event && lineOf(event, 'UID')?.value, 500);
  if (!calendar || !kind || !event || uid === '') return null;
  const start = timeOf(lineOf(event, 'DTSTART'), calendar);
  // An answer need not repeat the time of the meeting.
  if (start === null && kind !== 'reply') return null;
  const begins = start?.ms ?? 0;
  const recurrence = lineOf(event, 'RECURRENCE-ID');
  return {
    ...{ kind, uid, title: oneLine(plainValue(lineOf(event, 'SUMMARY')), 200) },
    sequence: Number(/^\d{1,9}$/.exec(lineOf(event, 'SEQUENCE')?.value.trim() ?? '')?.[0] ?? 0),
    recurrence: recurrence && recurrenceLine(recurrence),
    start: new Date(begins).toISOString(),
    stop: new Date(endOf(event, calendar, begins, start?.isDay ?? false)).toISOString(),
    allDay: start?.isDay ?? false,
    tz: zoneOf(lineOf(event, 'DTSTART')),
    place: oneLine(plainValue(lineOf(event, 'LOCATION')), 300),
    repeats: oneLine(lineOf(event, 'RRULE')?.value, 200),
    organiser: personIn(lineOf(event, 'ORGANIZER')),
    attendees: event.lines
      .filter(({ name }) => name === 'ATTENDEE')
      .slice(0, maxAttendees)
      .flatMap((line) => {
        const person = personIn(line);
        return person ? { ...person, answer: answers[(line.params.PARTSTAT ?? '').toUpperCase()] ?? null } : [];
      }),
  };
}

const longestMs = 366 * dayMs;

function endOf(event: Component, calendar: Component, start: number, isDay: boolean): number {
  const end = timeOf(lineOf(event, 'DTEND'), calendar)?.ms;
  const stop = end ?? start + (durationOf(lineOf(event, 'DURATION')) ?? (isDay ? dayMs : 0));
  if (isDay && stop <= start) return start + dayMs;
  return stop >= start && stop - start <= longestMs ? stop : start;
}

/** As it came, since an answer must repeat it; only what such a line may have. */
function recurrenceLine({ params, value }: ContentLine): string | null {
  const named = Object.entries(params).map(([name, each]) => `;${name}=${/[;:,]/.test(each) ? `"${each}"` : each}`);
  const line = `RECURRENCE-ID${named.join('')}:${value.trim()}`;
  return line.length <= 200 && /^[\x20-\x7e]+$/.test(line) ? line : null;
}

function personIn(line: ContentLine | null): CalendarPerson | null {
  const address = (line?.value ?? '')
    .trim()
    .replace(/^mailto:/i, '')
    .toLowerCase();
  if (!isMailAddress(address)) return null;
  return { name: oneLine(line?.params.CN, 200) || address, address };
}

function oneLine(text: string | undefined, length: number): string {
  return [...(text ?? '').replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()].slice(0, length).join('');
}
