import { bytes, encoded, head, type OddMessage, plain } from './message.ts';

export const charsets: readonly OddMessage[] = [
  {
    name: 'Latin 1 in quoted-printable',
    raw: bytes(
      `${head}Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe`,
    ),
    is: { shown: '<p>Grüße</p>' },
  },
  {
    name: 'windows-1252 with curly quotes',
    raw: encoded('windows-1252', Buffer.from([0x93, 0x6f, 0x6b, 0x94])),
    is: { shown: '<p>“ok”</p>' },
  },
  {
    name: 'Latin 9 with the euro sign',
    raw: encoded('iso-8859-15', Buffer.from([0x35, 0xa4])),
    is: { shown: '<p>5€</p>' },
  },
  { name: 'KOI8-R', raw: encoded('koi8-r', Buffer.from([0xf0, 0xd2, 0xc9])), is: { shown: '<p>При</p>' } },
  {
    name: 'Japanese in ISO-2022-JP',
    raw: encoded('iso-2022-jp', Buffer.from('\x1b$B$3$s\x1b(B', 'latin1')),
    is: { shown: '<p>こん</p>' },
  },
  { name: 'Shift_JIS', raw: encoded('shift_jis', Buffer.from([0x82, 0xb1])), is: { shown: '<p>こ</p>' } },
  { name: 'GB18030', raw: encoded('gb18030', Buffer.from([0xc4, 0xe3])), is: { shown: '<p>你</p>' } },
  { name: 'Big5', raw: encoded('big5', Buffer.from([0xa7, 0x41])), is: { shown: '<p>你</p>' } },
  { name: 'EUC-KR', raw: encoded('euc-kr', Buffer.from([0xc7, 0xd1])), is: { shown: '<p>한</p>' } },
  {
    name: 'windows-1256 in Arabic',
    raw: encoded('windows-1256', Buffer.from([0xe3, 0xd1])),
    is: { shown: '<p>مر</p>' },
  },
  { name: 'UTF-8 with a byte order mark', raw: encoded('utf-8', Buffer.from('\ufeffHi')), is: { shown: '<p>Hi</p>' } },
  { name: 'an unknown character set', raw: encoded('x-nonsense', Buffer.from('Hello')), is: { shown: '<p>Hello</p>' } },
  { name: 'no character set, in ASCII', raw: bytes(`${head}\nHello`), is: { shown: '<p>Hello</p>' } },
  { name: 'null bytes in the text', raw: encoded('utf-8', Buffer.from('a\0b')), is: { shown: '<p>ab</p>' } },
  {
    name: 'an encoded subject in two parts',
    raw: plain('x', 'Subject: =?utf-8?Q?Gr=C3=BC?=\n =?utf-8?B?w59l?=\n'),
    is: { subject: 'Grüße' },
  },
  { name: 'a subject of raw UTF-8', raw: plain('x', 'Subject: Grüße\n'), is: { subject: 'Grüße' } },
  {
    name: 'a subject in ISO-2022-JP',
    raw: plain('x', 'Subject: =?ISO-2022-JP?B?GyRCJDMkcxsoQg==?=\n'),
    is: { subject: 'こん' },
  },
  {
    name: 'a name in quotes with a comma',
    raw: bytes('From: "Byron, Ada" <ada@example.com>\n\nx'),
    is: { from: { name: 'Byron, Ada', address: 'ada@example.com' } },
  },
  {
    name: 'an encoded name',
    raw: bytes('From: =?utf-8?B?QWRhIEzDtnY=?= <Ada@Example.com>\n\nx'),
    is: { from: { name: 'Ada Löv', address: 'ada@example.com' } },
  },
];

export const heads: readonly OddMessage[] = [
  { name: 'no From', raw: bytes('To: office@kontor.test\n\nHello'), is: { from: null, shown: '<p>Hello</p>' } },
  { name: 'a From that is not an address', raw: bytes('From: nobody\n\nHello'), is: { from: null } },
  {
    name: 'Sender where From is unreadable',
    raw: bytes('From: nobody\nSender: s@example.com\n\nx'),
    is: { from: { name: 's@example.com', address: 's@example.com' } },
  },
  {
    name: 'a group as From',
    raw: bytes('From: Team: a@example.com, b@example.com;\n\nx'),
    is: { from: { name: 'a@example.com', address: 'a@example.com' } },
  },
  {
    name: 'two From headers: the first counts',
    raw: bytes('From: a@example.com\nFrom: b@example.com\n\nx'),
    is: { from: { name: 'a@example.com', address: 'a@example.com' } },
  },
  {
    name: 'a subject that would add a header',
    raw: plain('x', 'Subject: =?utf-8?Q?Hi=0D=0ABcc:_evil@example.com?=\n'),
    is: { subject: 'Hi Bcc: evil@example.com' },
  },
  {
    name: 'a name that would add a header',
    raw: bytes(`From: =?utf-8?B?${Buffer.from('Ada\r\nBcc: e@example.com').toString('base64')}?= <a@example.com>\n\nx`),
    is: { from: { name: 'Ada Bcc: e@example.com', address: 'a@example.com' } },
  },
  {
    name: 'a name that reverses its direction',
    raw: bytes('From: "Ada\u202egpj.exe" <a@example.com>\n\nx'),
    is: { from: { name: 'Ada gpj.exe', address: 'a@example.com' } },
  },
  {
    name: 'a subject that is too long',
    raw: plain('x', `Subject: ${'a'.repeat(3000)}\n`),
    is: { subject: 'a'.repeat(500) },
  },
  { name: 'no headers at all', raw: bytes('\n\nHello'), is: { from: null, subject: '', messageId: null } },
  { name: 'headers without a body', raw: bytes('From: a@example.com\nSubject: Hi'), is: { subject: 'Hi', shown: '' } },
  { name: 'nothing', raw: Buffer.alloc(0), is: { from: null, shown: '', files: [] } },
  {
    name: 'bare line feeds',
    raw: Buffer.from('From: a@example.com\nSubject: Hi\n\nHello\n'),
    is: { subject: 'Hi', shown: '<p>Hello</p>' },
  },
  { name: 'a date in words', raw: plain('x', 'Date: yesterday\n'), is: { date: null } },
  { name: 'a date in the far future', raw: plain('x', 'Date: Mon, 1 Jan 2200 00:00:00 +0000\n'), is: { date: null } },
  {
    name: 'a date with a zone',
    raw: plain('x', 'Date: Mon, 2 Nov 2020 10:00:00 +0200\n'),
    is: { date: '2020-11-02T08:00:00.000Z' },
  },
  {
    name: 'references, the nearest first',
    raw: plain('x', 'In-Reply-To: <c@x>\nReferences: <a@x>\n <b@x> <c@x>\n'),
    is: { references: ['c@x', 'b@x', 'a@x'] },
  },
  {
    name: 'In-Reply-To with words around it',
    raw: plain('x', 'In-Reply-To: Your message <c@x> of Monday\n'),
    is: { references: ['c@x'] },
  },
  {
    name: 'a Message-ID without brackets',
    raw: bytes('From: a@example.com\nMessage-ID: plain@x\n\nx'),
    is: { messageId: null },
  },
  {
    name: 'recipients in several headers',
    raw: bytes(
      'From: a@example.com\nTo: Sales <SALES@kontor.test>, b@x.test\nCc: team: c@x.test;\nDelivered-To: office@kontor.test\n\nx',
    ),
    is: { recipients: ['office@kontor.test', 'sales@kontor.test', 'b@x.test', 'c@x.test'] },
  },
];
