import { expect } from 'vitest';
import { bytes, file, head, htmlPart, multipart, type OddMessage, plain, textPart } from './message.ts';

const nested = (type: string, boundary: string, parts: readonly string[]): string =>
  `Content-Type: multipart/${type}; boundary="${boundary}"\n\n${parts.map((part) => `--${boundary}\n${part}\n`).join('')}--${boundary}--`;
const invitation = (method: string) =>
  `Content-Type: text/calendar; charset=utf-8; method=${method}\n\nBEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:${method}\nBEGIN:VEVENT\nUID:u1\nDTSTAMP:20261118T100000Z\nDTSTART:20261120T100000Z\nSUMMARY:Visit\nEND:VEVENT\nEND:VCALENDAR`;

const dates: readonly (readonly [name: string, date: string, read: string | null])[] = [
  ['without a weekday', '2 Nov 2026 10:00:00 +0100', '2026-11-02T09:00:00.000Z'],
  ['with a named zone', 'Mon, 02 Nov 2026 10:00:00 GMT', '2026-11-02T10:00:00.000Z'],
  ['with a comment', 'Mon, 02 Nov 2026 10:00:00 +0000 (UTC)', '2026-11-02T10:00:00.000Z'],
  ['without seconds', 'Mon, 02 Nov 2026 10:00 +0000', '2026-11-02T10:00:00.000Z'],
  ['that is nonsense', 'the day before yesterday', null],
  ['that is empty', '', null],
];

const senders: readonly (readonly [name: string, from: string, address: string | null])[] = [
  ['in angle brackets alone', '<ada@example.com>', 'ada@example.com'],
  ['with a comment', 'ada@example.com (Ada)', 'ada@example.com'],
  ['in capital letters', 'ADA@EXAMPLE.COM', 'ada@example.com'],
  ['with a plus sign', 'ada+x@example.com', 'ada+x@example.com'],
  ['of two authors', 'ada@example.com, bob@example.com', 'ada@example.com'],
  ['with an address as its name', '"bob@example.com" <ada@example.com>', 'ada@example.com'],
  ['without a domain', 'Ada <ada>', null],
  ['that is empty', '', null],
];

const answered: readonly (readonly [name: string, headers: string, references: readonly string[]])[] = [
  ['In-Reply-To alone', 'In-Reply-To: <a@x.test>\n', ['a@x.test']],
  ['References, the nearest last', 'References: <a@x.test> <b@x.test>\n', ['b@x.test', 'a@x.test']],
  ['both, without repeating', 'In-Reply-To: <b@x.test>\nReferences: <a@x.test> <b@x.test>\n', ['b@x.test', 'a@x.test']],
  ['references over two lines', 'References: <a@x.test>\n <b@x.test>\n', ['b@x.test', 'a@x.test']],
  ['references without spaces', 'References: <a@x.test><b@x.test>\n', ['b@x.test', 'a@x.test']],
  ['an In-Reply-To in words', 'In-Reply-To: your message of Monday\n', []],
];

export const moreStructures: readonly OddMessage[] = [
  ...dates.map(([name, date, read]) => ({
    ...{ name: `a date ${name}`, raw: plain('x', `Date: ${date}\n`), is: { date: read } },
  })),
  ...senders.map(([name, from, address]) => ({
    name: `a sender ${name}`,
    raw: bytes(`From: ${from}\nTo: office@kontor.test\n\nx`),
    is: { from: address === null ? null : expectAddress(address) },
  })),
  ...answered.map(([name, headers, references]) => ({ name, raw: plain('x', headers), is: { references } })),
  ...['REQUEST', 'REPLY', 'CANCEL', 'PUBLISH'].map((method) => ({
    name: `an invitation with the method ${method} beside its text`,
    raw: multipart('alternative', [textPart('Come by.'), invitation(method)]),
    is: { shown: '<p>Come by.</p>', kind: 'message' as const },
  })),
  {
    name: 'an invitation as a file',
    raw: multipart('mixed', [textPart('Come by.'), file('invite.ics', 'text/calendar', 'BEGIN:VCALENDAR')]),
    is: { shown: '<p>Come by.</p>', files: ['invite.ics text/calendar'] },
  },
  {
    name: 'a file beside alternatives',
    raw: multipart('mixed', [
      nested('alternative', 'YY', [textPart('plain'), htmlPart('<p>rich</p>')]),
      file('a.pdf', 'application/pdf', 'x'),
    ]),
    is: { shown: '<p>rich</p>', files: ['a.pdf application/pdf'] },
  },
  {
    name: 'alternatives below related parts below mixed ones',
    raw: multipart('mixed', [
      nested('related', 'YY', [nested('alternative', 'ZZ', [textPart('plain'), htmlPart('<p>deep</p>')])]),
      file('b.pdf', 'application/pdf', 'x'),
    ]),
    is: { shown: '<p>deep</p>', files: ['b.pdf application/pdf'] },
  },
  {
    name: 'two files with the same name',
    raw: multipart('mixed', [textPart('x'), file('a.txt', 'text/plain', '1'), file('a.txt', 'text/plain', '2')]),
    is: { files: ['a.txt text/plain', 'a.txt text/plain'] },
  },
  {
    name: 'a boundary with odd characters',
    raw: bytes(
      `${head}Content-Type: multipart/mixed; boundary="=_?'()+,-./:=_1"\n\n--=_?'()+,-./:=_1\n${textPart('odd')}\n--=_?'()+,-./:=_1--`,
    ),
    is: { shown: '<p>odd</p>' },
  },
  {
    name: 'words before the first boundary',
    raw: bytes(
      `${head}Content-Type: multipart/mixed; boundary=XX\n\nThis is MIME.\n--XX\n${textPart('inside')}\n--XX--\nafter`,
    ),
    is: { shown: '<p>inside</p>' },
  },
  {
    name: 'a digest of messages',
    raw: multipart('digest', ['\nFrom: a@example.com\nSubject: One\n\nfirst']),
    is: { kind: 'message' },
  },
  {
    name: 'only a file',
    raw: bytes(`${head}${file('scan.pdf', 'application/pdf', 'x')}`),
    is: { files: ['scan.pdf application/pdf'] },
  },
  { name: 'an empty body', raw: bytes(`${head}\n`), is: { shown: '' } },
  {
    name: 'no line between head and body',
    raw: bytes('From: ada@example.com\nSubject: Only a head'),
    is: { subject: 'Only a head' },
  },
  {
    name: 'line feeds alone',
    raw: Buffer.from('From: ada@example.com\nSubject: LF\n\nHello'),
    is: { subject: 'LF', shown: '<p>Hello</p>' },
  },
  {
    name: 'a header without a name',
    raw: bytes(': nothing\nFrom: ada@example.com\nSubject: S\n\nx'),
    is: { subject: 'S' },
  },
  {
    name: 'a header without a colon',
    raw: bytes('From: ada@example.com\nnonsense\nSubject: S\n\nx'),
    is: { subject: 'S' },
  },
  { name: 'headers in capital letters', raw: bytes('FROM: ada@example.com\nSUBJECT: S\n\nx'), is: { subject: 'S' } },
  {
    name: 'a header without a space after its colon',
    raw: bytes('From:ada@example.com\nSubject:S\n\nx'),
    is: { subject: 'S' },
  },
];

function expectAddress(address: string) {
  return expect.objectContaining({ address }) as unknown as { readonly name: string; readonly address: string };
}
