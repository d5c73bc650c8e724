import { bytes, file, head, html, htmlPart, multipart, type OddMessage, textPart } from './message.ts';

export const structures: readonly OddMessage[] = [
  {
    name: 'a file beside the text',
    raw: multipart('mixed', [textPart('See file'), file('a.pdf', 'application/pdf', 'PDF')]),
    is: { shown: '<p>See file</p>', files: ['a.pdf application/pdf'] },
  },
  {
    name: 'a file name in RFC 2231',
    raw: multipart('mixed', [
      textPart('x'),
      "Content-Type: application/pdf\nContent-Disposition: attachment; filename*=UTF-8''na%C3%AFve.pdf\n\nPDF",
    ]),
    is: { files: ['naïve.pdf application/pdf'] },
  },
  {
    name: 'a file name with a path',
    raw: multipart('mixed', [textPart('x'), file('../../etc/passwd', 'text/plain', 'x')]),
    is: { files: ['passwd text/plain'] },
  },
  {
    name: 'a file without a name',
    raw: multipart('mixed', [textPart('x'), 'Content-Type: image/png\n\nPNG']),
    is: { files: ['picture.png image/png'] },
  },
  {
    name: 'a type that is no type',
    raw: multipart('mixed', [
      textPart('x'),
      'Content-Type: <script>\nContent-Disposition: attachment; filename=a\n\nx',
    ]),
    is: { files: ['a application/octet-stream'] },
  },
  {
    name: 'a forwarded message is a file',
    raw: multipart('mixed', [
      textPart('FYI'),
      'Content-Type: message/rfc822\n\nFrom: b@x.test\nSubject: Old\n\nOld text',
    ]),
    is: { shown: '<p>FYI</p>', files: ['message.eml message/rfc822'] },
  },
  {
    name: 'an invitation is a file',
    raw: multipart('alternative', [
      textPart('Meet'),
      'Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nEND:VCALENDAR',
    ]),
    is: { shown: '<p>Meet</p>', files: ['invitation.ics text/calendar'] },
  },
  {
    name: 'a zip is not unpacked',
    raw: multipart('mixed', [textPart('x'), file('bomb.zip', 'application/zip', 'PK')]),
    is: { files: ['bomb.zip application/zip'] },
  },
  {
    name: 'a multipart without its end',
    raw: bytes(`${head}Content-Type: multipart/mixed; boundary=XX\n\n--XX\n${textPart('Cut')}`),
    is: { shown: '<p>Cut</p>' },
  },
  {
    name: 'a multipart without a boundary',
    raw: bytes(`${head}Content-Type: multipart/mixed\n\nHello`),
    is: { from: { name: 'Ada', address: 'ada@example.com' } },
  },
  {
    name: 'base64 that is damaged',
    raw: bytes(`${head}Content-Transfer-Encoding: base64\n\nSGVsbG8*!`),
    is: { shown: '<p>Hello</p>' },
  },
  {
    name: 'more parts than anybody sends',
    raw: multipart(
      'mixed',
      Array.from({ length: 150 }, (_, at) => file(`${at}.txt`, 'text/plain', 'x')),
    ),
    is: { isPartial: true, shown: '', files: ['message.eml message/rfc822'], subject: '' },
  },
  {
    name: 'parts inside parts, too deep',
    raw: bytes(
      `${head}Subject: Deep\n${Array.from({ length: 60 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`).join('')}\nx`,
    ),
    is: { isPartial: true, subject: 'Deep', files: ['message.eml message/rfc822'] },
  },
  {
    name: 'HTML that is nested too deeply',
    raw: html('<div>'.repeat(5_000)),
    is: { isPartial: true, files: ['message.eml message/rfc822'] },
  },
  {
    name: 'HTML that is too long, with text',
    raw: multipart('alternative', [textPart('short'), htmlPart('<p>x</p>'.repeat(80_000))]),
    is: { shown: '<p>short</p>', isPartial: false },
  },
  {
    name: 'headers without an end',
    raw: bytes(`From: a@example.com\nSubject: Hi\n${'X-A: b\n'.repeat(60_000)}`),
    is: { isPartial: true, subject: 'Hi' },
  },
];
