import { bytes, encoded, head, type OddMessage, plain } from './message.ts';

/** Charset, bytes in hexadecimal, and what they mean. */
const texts: readonly (readonly [charset: string, hex: string, text: string])[] = [
  ['iso-8859-2', 'b1e6', 'ąć'],
  ['iso-8859-3', 'a1', 'Ħ'],
  ['iso-8859-4', 'e0', 'ā'],
  ['iso-8859-5', 'bfe0', 'Пр'],
  ['iso-8859-6', 'c7c8', 'اب'],
  ['iso-8859-7', 'e1e2', 'αβ'],
  ['iso-8859-8', 'e0e1', 'אב'],
  ['iso-8859-8-i', 'e0e1', 'אב'],
  ['iso-8859-9', 'fdfe', 'ış'],
  ['iso-8859-10', 'e0', 'ā'],
  ['iso-8859-13', 'e0', 'ą'],
  ['iso-8859-14', 'f0', 'ŵ'],
  ['windows-1250', '9a9e', 'šž'],
  ['windows-1251', 'cff0', 'Пр'],
  ['windows-1253', 'e1', 'α'],
  ['windows-1254', 'fe', 'ş'],
  ['windows-1255', 'e0', 'א'],
  ['windows-1257', 'e0', 'ą'],
  ['windows-1258', 'f0', 'đ'],
  ['windows-874', 'a1a2', 'กข'],
  ['macintosh', '8a9f', 'äü'],
  ['x-mac-cyrillic', '8ff0', 'Пр'],
  ['ibm866', '8fe0', 'Пр'],
  ['koi8-u', 'a4a6', 'єі'],
  ['gbk', 'c4e3', '你'],
  ['gb2312', 'c4e3', '你'],
  ['euc-jp', 'a4b3', 'こ'],
  ['ks_c_5601-1987', 'c7d1', '한'],
  ['utf8', 'c3bc', 'ü'],
  ['"UTF-8"', 'c3bc', 'ü'],
  ['us-ascii', '4869', 'Hi'],
  ['ansi_x3.4-1968', '4869', 'Hi'],
  ['latin1', 'fc', 'ü'],
  ['cp1252', '80', '€'],
  ['UTF-16LE', '48006900', 'Hi'],
];

export const moreCharsets: readonly OddMessage[] = [
  ...texts.map(([charset, hex, text]) => ({
    ...{
      name: `${charset} in base64`,
      raw: encoded(charset, Buffer.from(hex, 'hex')),
      is: { shown: `<p>${text}</p>` },
    },
  })),
  {
    name: 'raw bytes of Latin 1 under 8bit',
    raw: Buffer.concat([
      bytes(`${head}Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\nGr`),
      Buffer.from([0xfc, 0xdf, 0x65]),
    ]),
    is: { shown: '<p>Grüße</p>' },
  },
  {
    name: 'a soft line break in quoted-printable',
    raw: bytes(`${head}Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\none=\ntwo`),
    is: { shown: '<p>onetwo</p>' },
  },
  {
    name: 'wrong hexadecimal digits in quoted-printable',
    raw: bytes(`${head}Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n100 =ZZ sure`),
    is: { shown: '<p>100 =ZZ sure</p>' },
  },
  {
    name: 'base64 with line breaks and a missing end',
    raw: bytes(`${head}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nSGVs\nbG8`),
    is: { shown: '<p>Hello</p>' },
  },
  {
    name: 'an encoded subject with underscores',
    raw: plain('x', 'Subject: =?iso-8859-1?Q?Gr=FC=DFe_aus_K=F6ln?=\n'),
    is: { subject: 'Grüße aus Köln' },
  },
  {
    name: 'an encoded subject in Big5',
    raw: plain('x', 'Subject: =?big5?B?p0E=?=\n'),
    is: { subject: '你' },
  },
  {
    name: 'an encoded word of an unknown character set',
    raw: plain('x', 'Subject: =?x-nonsense?Q?Hello?=\n'),
    is: { subject: 'Hello' },
  },
  { name: 'a lower-case encoding letter', raw: plain('x', 'Subject: =?utf-8?q?Gr=C3=BC?=\n'), is: { subject: 'Grü' } },
  {
    name: 'a folded subject',
    raw: plain('x', 'Subject: A very\n long subject\n'),
    is: { subject: 'A very long subject' },
  },
  { name: 'tabs in the subject', raw: plain('x', 'Subject: one\ttwo\n'), is: { subject: 'one two' } },
];
