import { isLong } from '@kontor/testing';
import { growthOf, linearGrowth } from '@kontor/testing/growth';
import { expect, it } from 'vitest';
import { markdownToHtml, mentionedIn, plainText } from '../chatter/markdown.ts';
import { oneLine } from '../chatter/one-line.ts';
import { withoutMention } from '../chatter/share-record.ts';
import { parseMessage } from '../incoming/parse-message.ts';
import { readInvitation } from '../invitation/read-invitation.ts';

const mail = (rest: string) => parseMessage(Buffer.from(`From: a@b.test\nMessage-ID: <a@b>\n${rest}`));
const html = (body: string) => mail(`Content-Type: text/html\n\n${body}`);
const encoded = (how: string, body: string) => mail(`Content-Transfer-Encoding: ${how}\n\n${body}`);
const marked = (text: string) => [markdownToHtml(text, () => 'Ada'), plainText(text, () => 'Ada'), mentionedIn(text)];

const invitation = (lines: string) =>
  readInvitation(
    `BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:a\nDTSTART;TZID=Own:20270114T100000\n${lines}END:VEVENT\nEND:VCALENDAR\n`,
  );

/** What somebody outside can send, and colleagues can write, with a size at which work that grows with its square takes seconds. */
const readers: Readonly<Record<string, readonly [size: number, read: (n: number) => unknown]>> = {
  'long lines': [20_000, (n) => mail(`\n${`${'x'.repeat(70)}\n`.repeat(n)}`)],
  'short lines': [4_000, (n) => mail(`\n${'a\n'.repeat(n)}`)],
  'one line': [500_000, (n) => mail(`\n${'x '.repeat(n)}`)],
  'quoted lines': [4_000, (n) => mail(`\n${'> a\n'.repeat(n)}`)],
  'quotes between empty lines': [2_000, (n) => mail(`\n${'> a\n\nb:\n'.repeat(n / 2)}`)],
  links: [8_000, (n) => mail(`\n${'https://a '.repeat(n)}`)],
  'quoted-printable': [200_000, (n) => encoded('quoted-printable', '=41'.repeat(n))],
  'broken quoted-printable': [200_000, (n) => encoded('quoted-printable', '=\n'.repeat(n / 20).padEnd(n, '='))],
  base64: [5_000, (n) => encoded('base64', `${'QUJD'.repeat(19)}\n`.repeat(n))],
  'encoded words': [3_000, (n) => mail(`Subject: ${'=?utf-8?Q?=41?= '.repeat(n)}\n\na`)],
  addresses: [5_000, (n) => mail(`To: ${'a@b.test, '.repeat(n)}\n\na`)],
  'comments of addresses': [20_000, (n) => mail(`To: ${'('.repeat(n)}\n\na`)],
  'open quotes of addresses': [20_000, (n) => mail(`To: ${'"a '.repeat(n)}\n\na`)],
  references: [8_000, (n) => mail(`References: ${'<a@b> '.repeat(n)}\n\na`)],
  'parameters of a type': [5_000, (n) => mail(`Content-Type: text/plain${'; a="b"'.repeat(n)}\n\na`)],
  'folded headers': [8_000, (n) => mail(`Subject: a\n${' b\n'.repeat(n)}\na`)],
  headers: [5_000, (n) => mail(`${'X: y\n'.repeat(n)}\na`)],
  parts: [
    20,
    (n) =>
      mail(`Content-Type: multipart/mixed; boundary=X\n\n${'--X\nContent-Type: text/plain\n\na\n'.repeat(n)}--X--`),
  ],
  'tags of a body': [1_000, (n) => html('<p>a <b>b</b></p>\n'.repeat(n))],
  'attributes of a body': [20_000, (n) => html(`<p ${'a="b" '.repeat(n / 2)}>a</p>`)],
  'classes of a body': [40_000, (n) => html(`<p class="${'gmail '.repeat(n / 3)}">a</p>`)],
  'styles of a body': [40_000, (n) => html(`<p style="${'border : '.repeat(n / 4)}">a</p>`)],
  'comments of a body': [20_000, (n) => html('<!--'.repeat(n))],
  'entities of a body': [20_000, (n) => html('&lt;'.repeat(n))],
  'folds of a body': [2_000, (n) => html('<div class="gmail_quote">a</div>'.repeat(n))],
  'pictures of a body': [2_000, (n) => html('<img src="https://a.test/b" alt="c">'.repeat(n))],
  'marks of a comment': [40_000, (n) => marked('*'.repeat(n))],
  'marks of a comment that stay open': [40_000, (n) => marked('*a _b `c ~~d '.repeat(n / 10))],
  'links of a comment that stay open': [2_000, (n) => marked('[a]('.repeat(n))],
  'mentions of a comment': [2_000, (n) => marked('@[Ada](user:1) '.repeat(n))],
  'lines of a comment': [10_000, (n) => marked('- a\n> b\n1. c\n'.repeat(n / 3))],
  'signs of tags in a notification': [40_000, (n) => oneLine('<'.repeat(n), 100)],
  'links of a mention': [10_000, (n) => withoutMention('<a model=core.user '.repeat(n), 7)],
  'mentions that are taken away': [
    5_000,
    (n) => withoutMention('<a href="/web?model=core.user&amp;id=7">@Ada</a>'.repeat(n), 7),
  ],
  'lines of an invitation': [1_000, (n) => invitation('X-A:b\n'.repeat(n))],
  'folded lines of an invitation': [50_000, (n) => invitation(`SUMMARY:a\n${' b\n'.repeat(n)}`)],
  'parameters in an invitation': [20_000, (n) => invitation(`ATTENDEE${';A="b:c"'.repeat(n / 4)}:mailto:a@b.test\n`)],
  'quotes of an invitation': [50_000, (n) => invitation(`ATTENDEE;CN=${'"'.repeat(n)}:mailto:a@b.test\n`)],
  'attendees of an invitation': [1_000, (n) => invitation('ATTENDEE:mailto:a@b.test\n'.repeat(n))],
  'escapes of an invitation': [50_000, (n) => invitation(`SUMMARY:${'\\n'.repeat(n)}\n`)],
  'parts of an invitation': [500, (n) => invitation('BEGIN:VALARM\nEND:VALARM\n'.repeat(n))],
  'time zones of an invitation': [
    400,
    (n) => invitation(`END:VEVENT\n${'BEGIN:VTIMEZONE\nTZID:Own\nEND:VTIMEZONE\n'.repeat(n)}BEGIN:VEVENT\n`),
  ],
};

/** A part of it in `npm test`. */
const share = isLong ? 1 : 0.25;

it.each(Object.entries(readers))(
  'CST-8 four times as much costs about four times as much: %s',
  async (_, [n, read]) => {
    expect(await growthOf(read, n * share)).toBeLessThan(linearGrowth);
  },
);
