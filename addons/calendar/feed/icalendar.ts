import { escapeText, foldLine, quoted } from '@addons/mail';
import { dateIn, type Env } from '@kontor/addon';

export const feedFields = [
  'name',
  'start',
  'stop',
  'all_day',
  'place',
  'video_url',
  'description',
  'write_date',
] as const;

export interface Meeting {
  readonly id: number;
  readonly name: string;
  readonly start: string;
  readonly stop: string;
  readonly all_day: boolean;
  readonly place: string | null;
  readonly video_url: string | null;
  readonly description: string | null;
  readonly write_date: string;
}

/** The meetings of a user for another calendar, from some weeks ago on. */
export async function ownMeetings(env: Env): Promise<readonly Meeting[]> {
  const since = new Date(env.now.getTime() - 90 * 86_400_000).toISOString();
  return env.model('calendar.event').searchRead(
    [
      ['user_ids', '=', env.uid],
      ['shadow_of_id', '=', null],
      ['stop', '>=', since],
    ],
    feedFields,
    { order: 'start, id', limit: 5_000 },
  );
}

interface Person {
  readonly name: string;
  readonly address: string;
}

/** Who is asked, and to whom their calendar answers (RFC 5546). */
export interface Asked {
  readonly organiser: Person;
  readonly guest: Person;
}

/** The UID of a meeting of ours. */
export function uidOf(id: number): string {
  return `meeting-${id}@kontor`;
}

/**
 * Meetings as a calendar of RFC 5545. Times are in UTC and every meeting of a series is a separate entry, so that a reader needs
 * neither our zones nor our rules.
 */
export function calendarText(
  name: string,
  meetings: readonly Meeting[],
  now: Date,
  asked: Asked | null = null,
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Kontor//Calendar//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${asked ? 'REQUEST' : 'PUBLISH'}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    ...meetings.flatMap((meeting) => entryLines(meeting, now, asked)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

function entryLines(meeting: Meeting, now: Date, asked: Asked | null): readonly string[] {
  const optional = [
    ['LOCATION', meeting.place],
    ['URL', meeting.video_url],
    ['DESCRIPTION', plainText(meeting.description)],
  ] as const;
  return [
    'BEGIN:VEVENT',
    `UID:${uidOf(meeting.id)}`,
    `DTSTAMP:${instant(meeting.write_date || now.toISOString())}`,
    `LAST-MODIFIED:${instant(meeting.write_date)}`,
    ...timeLines(meeting),
    `SUMMARY:${escapeText(meeting.name)}`,
    ...optional.flatMap(([key, value]) =>
      value ? `${key}:${key === 'URL' ? oneLine(value) : escapeText(value)}` : [],
    ),
    ...(asked ? askedLines(asked) : []),
    'END:VEVENT',
  ];
}

function askedLines({ organiser, guest }: Asked): readonly string[] {
  return [
    `ORGANIZER;CN=${quoted(organiser.name)}:mailto:${organiser.address}`,
    `ATTENDEE;CN=${quoted(guest.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:${guest.address}`,
  ];
}

/** Whole days are dates; the end is the first day after them. */
function timeLines({ start, stop, all_day: isWhole }: Meeting): readonly string[] {
  if (!isWhole) return [`DTSTART:${instant(start)}`, `DTEND:${instant(stop)}`];
  return [`DTSTART;VALUE=DATE:${day(start)}`, `DTEND;VALUE=DATE:${day(stop)}`];
}

function day(iso: string): string {
  return dateIn('UTC', iso).replaceAll('-', '');
}

function instant(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]/g, '');
}

/** A description is HTML that was sanitised when it was written. */
function plainText(html: string | null): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };
  return (html ?? '')
    .replaceAll(/<(br|\/p|\/div|\/li|\/h\d)\b[^<>]*>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? '')
    .trim();
}
