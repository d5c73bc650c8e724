import type { CalendarPerson, Invitation, InvitationAnswer } from './read-invitation.ts';

const states = { yes: 'ACCEPTED', maybe: 'TENTATIVE', no: 'DECLINED' } as const;

/** The answer of an attendee as a calendar file (REPLY of RFC 5546), which the organiser's calendar reads. */
export function answerCalendar(
  { uid, sequence, recurrence, title, organiser }: Invitation,
  answer: InvitationAnswer,
  { name, address }: CalendarPerson,
  now: Date,
): string {
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Kontor//Mail//EN', 'METHOD:REPLY', 'BEGIN:VEVENT'],
    `UID:${uid}`,
    ...(recurrence === null ? [] : [recurrence]),
    `DTSTAMP:${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`,
    `SEQUENCE:${sequence}`,
    `SUMMARY:${escapeText(title)}`,
    ...(organiser ? [`ORGANIZER:mailto:${organiser.address}`] : []),
    `ATTENDEE;PARTSTAT=${states[answer]};CN=${quoted(name)}:mailto:${address}`,
    ...['END:VEVENT', 'END:VCALENDAR'],
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

/** A text value of iCalendar. */
export function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r\n|\r|\n/g, '\\n');
}

/** A parameter in quotes, which cannot have quotes itself. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/["\p{Cc}]/gu, ' ').trim()}"`;
}

/** A line has at most 75 octets; the rest continues on the next line, after a space. A character is never split. */
export function foldLine(line: string): string {
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
