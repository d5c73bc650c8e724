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

/**
 * Meetings as a calendar of RFC 5545. Times are in UTC and every meeting of a series is a separate entry, so that a reader needs
 * neither our zones nor our rules.
 */
export function calendarText(name: string, meetings: readonly Meeting[], now: Date): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Kontor//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    ...meetings.flatMap((meeting) => entryLines(meeting, now)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

function entryLines(meeting: Meeting, now: Date): readonly string[] {
  const optional = [
    ['LOCATION', meeting.place],
    ['URL', meeting.video_url],
    ['DESCRIPTION', plainText(meeting.description)],
  ] as const;
  return [
    'BEGIN:VEVENT',
    `UID:meeting-${meeting.id}@kontor`,
    `DTSTAMP:${instant(meeting.write_date || now.toISOString())}`,
    `LAST-MODIFIED:${instant(meeting.write_date)}`,
    ...timeLines(meeting),
    `SUMMARY:${escapeText(meeting.name)}`,
    ...optional.flatMap(([key, value]) =>
      value ? `${key}:${key === 'URL' ? oneLine(value) : escapeText(value)}` : [],
    ),
    'END:VEVENT',
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

function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r\n|\r|\n/g, '\\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]/g, '');
}

/** A description is HTML that was sanitised when it was written. */
function plainText(html: string | null): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };
  return (html ?? '')
    .replaceAll(/<(br|\/p|\/div|\/li|\/h\d)\b[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? '')
    .trim();
}

/** A line has at most 75 octets; the rest continues on the next line, after a space. A character is never split. */
function fold(line: string): string {
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > 75) {
      parts.push(part);
      part = ' ';
      octets = 1;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join('\r\n');
}
