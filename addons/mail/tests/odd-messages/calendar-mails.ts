import { file, head, multipart, type OddMessage, textPart } from './message.ts';

interface Meeting {
  readonly method?: string;
  /** Lines of the event after its UID. */
  readonly lines?: string;
  /** Before the event, such as time zones. */
  readonly zones?: string;
  /** Instead of the whole event. */
  readonly events?: string;
}

const people =
  'ORGANIZER;CN=Vera Customer:mailto:vera@customer.test\nATTENDEE;CN=Office;PARTSTAT=NEEDS-ACTION:mailto:office@kontor.test';
const usual = 'DTSTART:20270114T090000Z\nDTEND:20270114T100000Z\nSUMMARY:Terrace';

function ics({ method = 'REQUEST', lines = usual, zones = '', events }: Meeting = {}): string {
  const event = events ?? `BEGIN:VEVENT\nUID:m-1@customer.test\n${lines}\n${people}\nEND:VEVENT`;
  return `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//EN\n${method && `METHOD:${method}\n`}${zones}${event}\nEND:VCALENDAR`;
}

const mail = (calendar: string, type = 'text/calendar; charset=utf-8; method=REQUEST'): Buffer =>
  multipart('alternative', [
    textPart('Meet'),
    `Content-Type: ${type}\nContent-Transfer-Encoding: base64\n\n${Buffer.from(calendar).toString('base64')}`,
  ]);
const at = (start: string, stop: string) => ({ start: `${start}:00.000Z`, stop: `${stop}:00.000Z` });
const vera = { name: 'Vera Customer', address: 'vera@customer.test' };

/** By the time of the event: the name, its lines, what is read. */
const times: readonly (readonly [name: string, lines: string, is: object, zones?: string])[] = [
  ['in UTC', usual, { ...at('2027-01-14T09:00', '2027-01-14T10:00'), allDay: false, tz: null }],
  [
    'in a zone by its usual name',
    'DTSTART;TZID=Europe/Berlin:20270714T100000\nDTEND;TZID=Europe/Berlin:20270714T113000',
    { ...at('2027-07-14T08:00', '2027-07-14T09:30'), tz: 'Europe/Berlin' },
  ],
  [
    'in a zone as Outlook names it',
    'DTSTART;TZID="W. Europe Standard Time":20270114T100000\nDTEND;TZID="W. Europe Standard Time":20270114T103000',
    { ...at('2027-01-14T09:00', '2027-01-14T09:30'), tz: 'Europe/Berlin' },
  ],
  [
    'in a zone as Mozilla once named it',
    'DTSTART;TZID=/mozilla.org/20050126_1/Europe/Oslo:20270714T100000\nDURATION:PT45M',
    { ...at('2027-07-14T08:00', '2027-07-14T08:45'), tz: 'Europe/Oslo' },
  ],
  [
    'in summer, in a zone that the calendar describes',
    'DTSTART;TZID=Office:20270714T100000\nDTEND;TZID=Office:20270714T110000',
    { ...at('2027-07-14T08:00', '2027-07-14T09:00'), tz: null },
    'own',
  ],
  [
    'in winter, in a zone that the calendar describes',
    'DTSTART;TZID=Office:20271214T100000\nDTEND;TZID=Office:20271214T110000',
    at('2027-12-14T09:00', '2027-12-14T10:00'),
    'own',
  ],
  [
    'in January, in a zone that the calendar describes',
    'DTSTART;TZID=Office:20270114T100000\nDTEND;TZID=Office:20270114T110000',
    at('2027-01-14T09:00', '2027-01-14T10:00'),
    'own',
  ],
  [
    'in a zone that nobody knows',
    'DTSTART;TZID=Nowhere:20270114T100000\nDTEND;TZID=Nowhere:20270114T110000',
    { ...at('2027-01-14T10:00', '2027-01-14T11:00'), tz: null },
  ],
  ['without a zone', 'DTSTART:20270114T100000\nDTEND:20270114T110000', at('2027-01-14T10:00', '2027-01-14T11:00')],
  [
    'of a whole day',
    'DTSTART;VALUE=DATE:20270114\nDTEND;VALUE=DATE:20270115',
    { ...at('2027-01-14T00:00', '2027-01-15T00:00'), allDay: true },
  ],
  ['of a whole day without an end', 'DTSTART;VALUE=DATE:20270114', at('2027-01-14T00:00', '2027-01-15T00:00')],
  [
    'of three days',
    'DTSTART;VALUE=DATE:20270114\nDTEND;VALUE=DATE:20270117',
    { ...at('2027-01-14T00:00', '2027-01-17T00:00'), allDay: true },
  ],
  [
    'of a duration in days and hours',
    'DTSTART:20270114T090000Z\nDURATION:P1DT2H',
    at('2027-01-14T09:00', '2027-01-15T11:00'),
  ],
  ['of a duration in weeks', 'DTSTART:20270114T090000Z\nDURATION:P1W', at('2027-01-14T09:00', '2027-01-21T09:00')],
  ['of a duration that is none', 'DTSTART:20270114T090000Z\nDURATION:soon', at('2027-01-14T09:00', '2027-01-14T09:00')],
  [
    'that ends before it begins',
    'DTSTART:20270114T090000Z\nDTEND:20270113T090000Z',
    at('2027-01-14T09:00', '2027-01-14T09:00'),
  ],
  [
    'that lasts for centuries',
    'DTSTART:20270114T090000Z\nDTEND:29990113T090000Z',
    at('2027-01-14T09:00', '2027-01-14T09:00'),
  ],
  ['that comes again', `${usual}\nRRULE:FREQ=WEEKLY;BYDAY=TH`, { repeats: 'FREQ=WEEKLY;BYDAY=TH', recurrence: null }],
  [
    'of one meeting of a series',
    `${usual}\nRECURRENCE-ID;TZID=Europe/Berlin:20270114T100000\nSEQUENCE:3`,
    { recurrence: 'RECURRENCE-ID;TZID=Europe/Berlin:20270114T100000', sequence: 3 },
  ],
];

const described = `BEGIN:VTIMEZONE
TZID:Office
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
`;

/** By what the event says. */
const said: readonly (readonly [name: string, meeting: Meeting, is: object | null])[] = [
  ['an invitation that is cancelled', { method: 'CANCEL' }, { kind: 'cancel', uid: 'm-1@customer.test' }],
  [
    'an answer that accepts',
    { method: 'REPLY', lines: 'DTSTAMP:20270101T000000Z\nATTENDEE;PARTSTAT=ACCEPTED;CN=Gil:mailto:GIL@guests.test' },
    { kind: 'reply', attendees: [{ name: 'Gil', address: 'gil@guests.test', answer: 'yes' }, { answer: null }] },
  ],
  [
    'an answer that is not sure',
    { method: 'REPLY', lines: 'ATTENDEE;PARTSTAT=TENTATIVE:mailto:gil@guests.test' },
    { attendees: [{ name: 'gil@guests.test', address: 'gil@guests.test', answer: 'maybe' }, {}] },
  ],
  [
    'an answer that declines',
    { method: 'reply', lines: 'ATTENDEE;PARTSTAT=DECLINED:MAILTO:gil@guests.test' },
    { attendees: [{ answer: 'no' }, {}] },
  ],
  ['a calendar that only shows meetings', { method: 'PUBLISH' }, null],
  ['a calendar without a method', { method: '' }, null],
  ['a calendar with a method that nobody knows', { method: 'DANCE' }, null],
  ['a calendar without a meeting', { events: 'BEGIN:VTODO\nUID:t\nEND:VTODO' }, null],
  ['a meeting without a name in calendars', { events: 'BEGIN:VEVENT\nDTSTART:20270114T090000Z\nEND:VEVENT' }, null],
  ['a meeting without a time', { lines: 'SUMMARY:Sometime' }, null],
  ['a meeting on the thirtieth of February', { lines: 'DTSTART:20270230T090000Z' }, null],
  [
    'a meeting whose event is never ended',
    { events: 'BEGIN:VEVENT\nUID:x\nDTSTART:20270114T090000Z\nSUMMARY:Open' },
    { title: 'Open' },
  ],
  [
    'a title with escapes over two lines',
    { lines: 'DTSTART:20270114T090000Z\nSUMMARY:Tea\\, cake\\; and a ve\n ry long talk\\nwith Vera' },
    { title: 'Tea, cake; and a very long talk with Vera' },
  ],
  [
    'a title that would add a line',
    { lines: 'DTSTART:20270114T090000Z\nSUMMARY:Tea\\nATTENDEE:mailto:e@example.com' },
    { title: 'Tea ATTENDEE:mailto:e@example.com' },
  ],
  [
    'a name in quotes with a colon',
    { lines: `${usual}\nATTENDEE;CN="Dr. Bo: Chief; Sales";PARTSTAT=ACCEPTED:mailto:bo@customer.test` },
    { attendees: [{ name: 'Dr. Bo: Chief; Sales', address: 'bo@customer.test', answer: 'yes' }, { answer: null }] },
  ],
  [
    'an organiser who is no address',
    { events: 'BEGIN:VEVENT\nUID:x\nDTSTART:20270114T090000Z\nORGANIZER:urn:uuid:1\nEND:VEVENT' },
    { organiser: null, attendees: [] },
  ],
  [
    'more attendees than a room holds',
    { lines: `${usual}\n${Array.from({ length: 300 }, (_, n) => `ATTENDEE:mailto:p${n}@customer.test`).join('\n')}` },
    { title: 'Terrace', organiser: vera },
  ],
  ['a calendar that is too long', { lines: `${usual}\nDESCRIPTION:${'x'.repeat(400_000)}` }, null],
  ['a calendar of too many lines', { lines: `${usual}\n${'X-A:b\n'.repeat(6_000)}` }, null],
  ['components inside each other without end', { events: 'BEGIN:VEVENT\n'.repeat(4_000) }, null],
  [
    'an alarm in a meeting',
    { lines: `${usual}\nBEGIN:VALARM\nTRIGGER:-PT15M\nSUMMARY:Wake up\nEND:VALARM` },
    { title: 'Terrace' },
  ],
  [
    'a place over two lines',
    { lines: `${usual}\nLOCATION:Harbour 1\\n20457 Hamburg` },
    { place: 'Harbour 1 20457 Hamburg' },
  ],
  ['a version that is no number', { lines: `${usual}\nSEQUENCE:new` }, { sequence: 0 }],
  ['lower case names', { lines: 'dtstart:20270114T090000Z\nsummary:Quiet' }, { title: 'Quiet' }],
];

const twice = ics();

export const calendarMails: readonly OddMessage[] = [
  ...times.map(([name, lines, is, zones]) => ({
    name: `a meeting ${name}`,
    raw: mail(ics({ lines, zones: zones === 'own' ? described : '' })),
    is: { invitation: { kind: 'request', organiser: vera, ...is } } as OddMessage['is'],
  })),
  ...said.map(([name, meeting, is]) => ({
    name,
    raw: mail(ics(meeting)),
    is: { kind: 'message', invitation: is } as OddMessage['is'],
  })),
  {
    name: 'an invitation as an alternative and as a file is one file',
    raw: multipart('mixed', [
      textPart('Meet'),
      `Content-Type: text/calendar; method=REQUEST\n\n${twice}`,
      file('invite.ics', 'application/ics', twice),
    ]),
    is: { invitation: { title: 'Terrace' }, files: ['invitation.ics text/calendar'] },
  },
  {
    name: 'an invitation as a file of no type',
    raw: multipart('mixed', [textPart('Meet'), file('invite.ics', 'application/octet-stream', ics())]),
    is: { invitation: { title: 'Terrace' }, files: ['invite.ics application/octet-stream'] },
  },
  {
    name: 'an invitation without other text',
    raw: Buffer.from(`${head}Content-Type: text/calendar; method=REQUEST\n\n${ics()}`.replaceAll('\n', '\r\n')),
    is: { invitation: { title: 'Terrace' } },
  },
  {
    name: 'pictures of other servers are listed, and those of the network of the reader are not',
    raw: Buffer.from(
      `${head}Content-Type: text/html\n\n<img src="https://cdn.test/a.png?x=1&amp;y=2" alt="Logo [1]"><img src="http://cdn.test/b.png"><img src="http://192.168.0.1/c.png"><img src="http://[::1]/d.png"><img src="http://router/e.png"><img src="https://u:p@cdn.test/f.png"><img src="data:image/png;base64,AA"><p>Hi</p>`,
    ),
    is: { pictures: ['https://cdn.test/a.png?x=1&y=2', 'http://cdn.test/b.png'] },
  },
];
