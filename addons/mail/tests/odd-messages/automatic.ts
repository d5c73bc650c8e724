import { bytes, multipart, type OddMessage, plain, textPart } from './message.ts';

const report = (status: string, subject = 'Undelivered Mail Returned to Sender'): Buffer =>
  multipart(
    'report; report-type=delivery-status',
    [
      textPart('It did not arrive.'),
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\n${status}`,
      'Content-Type: message/rfc822\n\nFrom: office@kontor.test\nMessage-ID: <sent@kontor.test>\nSubject: Offer\n\nHello',
    ],
    `From: MAILER-DAEMON@mx.test\nSubject: ${subject}\nReturn-Path: <>\nAuto-Submitted: auto-replied\n`,
  );
const failed = 'Final-Recipient: rfc822; gone@customer.test\nAction: failed\nStatus: 5.1.1\n';

export const automatic: readonly OddMessage[] = [
  {
    name: 'a bounce of Postfix',
    raw: report(failed),
    is: { kind: 'bounce', failed: ['gone@customer.test'], references: ['sent@kontor.test'] },
  },
  {
    name: 'a bounce with two recipients',
    raw: report(`${failed}\n${failed.replace('gone@', 'also@')}`),
    is: { kind: 'bounce', failed: ['gone@customer.test', 'also@customer.test'] },
  },
  {
    name: 'a delay is no bounce',
    raw: report(failed.replace('failed', 'delayed'), 'Delayed Mail'),
    is: { kind: 'auto', failed: [] },
  },
  {
    name: 'a delivery receipt is no bounce',
    raw: report(failed.replace('failed', 'delivered'), 'Delivery Status Notification (Success)'),
    is: { kind: 'auto', failed: [] },
  },
  {
    name: 'a bounce of Exim without a report',
    raw: bytes(
      'From: Mailer-Daemon@mx.test\nX-Failed-Recipients: gone@customer.test\nSubject: Mail delivery failed: returning message to sender\nReturn-Path: <>\n\nx',
    ),
    is: { kind: 'bounce', failed: ['gone@customer.test'] },
  },
  {
    name: 'a bounce of qmail',
    raw: bytes(
      'From: MAILER-DAEMON@mx.test\nSubject: failure notice\nReturn-Path: <>\n\nHi. This is the qmail-send program.',
    ),
    is: { kind: 'bounce', failed: [] },
  },
  {
    name: 'a bounce with the headers of the e-mail only',
    raw: multipart(
      'report; report-type=delivery-status',
      [
        textPart('x'),
        `Content-Type: message/delivery-status\n\n${failed}`,
        'Content-Type: text/rfc822-headers\n\nMessage-ID: <sent@kontor.test>\n',
      ],
      'From: postmaster@mx.test\nSubject: Undeliverable: Offer\n',
    ),
    is: { kind: 'bounce', references: ['sent@kontor.test'] },
  },
  {
    name: 'an out-of-office note',
    raw: plain('I am away.', 'Auto-Submitted: auto-replied\nIn-Reply-To: <sent@kontor.test>\n'),
    is: { kind: 'auto', references: ['sent@kontor.test'] },
  },
  { name: 'Auto-Submitted: no is a person', raw: plain('x', 'Auto-Submitted: no\n'), is: { kind: 'message' } },
  { name: 'a note of an old autoresponder', raw: plain('x', 'X-Autoreply: yes\n'), is: { kind: 'auto' } },
  { name: 'Precedence: auto_reply', raw: plain('x', 'Precedence: auto_reply\n'), is: { kind: 'auto' } },
  { name: 'an empty return path', raw: plain('x', 'Return-Path: <>\n'), is: { kind: 'auto' } },
  {
    name: 'a mailing list',
    raw: plain('x', 'List-Id: <users.example.com>\nPrecedence: list\n'),
    is: { kind: 'message', isFromList: true },
  },
  {
    name: 'a person who writes about a failure',
    raw: plain('x', 'Subject: Undelivered parcel\n'),
    is: { kind: 'message', failed: [] },
  },
  {
    name: 'a forged failed recipient of a person',
    raw: plain('x', 'X-Failed-Recipients: victim@customer.test\nSubject: Hi\n'),
    is: { kind: 'message', failed: [] },
  },
];
