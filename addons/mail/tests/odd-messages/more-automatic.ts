import { bytes, multipart, type OddMessage, plain, textPart } from './message.ts';

interface Server {
  readonly name: string;
  readonly from: string;
  readonly subject: string;
  readonly more?: string;
  /** The second part of the report. */
  readonly status: string;
  /** The type of the third part, with the e-mail. */
  readonly third?: string;
}

const sent = 'From: office@kontor.test\nMessage-ID: <sent@kontor.test>\nSubject: Offer\n\nHello';
const status = (more = '') =>
  `Reporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; gone@customer.test\nAction: failed\nStatus: 5.1.1\n${more}`;

/** Reports as the servers word them, with a delivery status (RFC 3464). */
const servers: readonly Server[] = [
  {
    name: 'Postfix',
    from: 'MAILER-DAEMON@mx.test (Mail Delivery System)',
    subject: 'Undelivered Mail Returned to Sender',
    status: status('Remote-MTA: dns; mx.customer.test\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\n'),
  },
  {
    name: 'Exchange Online',
    from: 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@kontor.test>',
    subject: 'Undeliverable: Offer',
    more: 'X-MS-Exchange-Message-Is-Ndr:\n',
    status: status('Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound\n'),
  },
  {
    name: 'Gmail',
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    subject: 'Delivery Status Notification (Failure)',
    more: 'X-Failed-Recipients: gone@customer.test\nAuto-Submitted: auto-replied\n',
    status: status('Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.\n'),
  },
  {
    name: 'Exim',
    from: 'Mail Delivery System <Mailer-Daemon@mx.test>',
    subject: 'Mail delivery failed: returning message to sender',
    more: 'X-Failed-Recipients: gone@customer.test\nAuto-Submitted: auto-replied\n',
    status: status(),
  },
  {
    name: 'Sendmail',
    from: 'Mail Delivery Subsystem <MAILER-DAEMON@mx.test>',
    subject: 'Returned mail: see transcript for details',
    more: 'Auto-Submitted: auto-generated (failure)\n',
    status: status('Last-Attempt-Date: Wed, 18 Nov 2026 10:00:00 +0000\n'),
    third: 'text/rfc822-headers',
  },
  {
    name: 'Amazon SES',
    from: 'MAILER-DAEMON@eu-west-1.amazonses.com',
    subject: 'Delivery Status Notification (Failure)',
    status: status(),
  },
  {
    name: 'Yahoo',
    from: 'MAILER-DAEMON@yahoo.com',
    subject: 'Failure Notice',
    status: status('Diagnostic-Code: smtp; 554 delivery error: dd This user does not have an account\n'),
  },
  {
    name: 'Zoho',
    from: 'mailer-daemon@mail.zoho.eu',
    subject: 'Undelivered Mail Returned to Sender',
    status: status('Original-Recipient: rfc822; gone@customer.test\n'),
  },
  {
    name: 'Lotus Domino',
    from: 'Postmaster@customer.test',
    subject: 'DELIVERY FAILURE: User gone not listed in Domino Directory',
    status: status(),
  },
  {
    name: 'Haraka',
    from: 'MAILER-DAEMON@mx.test',
    subject: 'failure notice',
    more: 'Auto-Submitted: auto-replied\n',
    status: status('Diagnostic-Code: smtp;550 5.1.1\n'),
  },
  {
    name: 'Mimecast, with capital letters in the address',
    from: 'postmaster@mx.test',
    subject: 'Undeliverable: Offer',
    status: status().replace('gone@customer.test', '<Gone@Customer.test>'),
  },
];

const away = [
  ['Outlook', 'Subject: Automatic reply: Offer\nX-Auto-Response-Suppress: All\nAuto-Submitted: auto-generated\n'],
  ['Gmail', 'Subject: Away Re: Offer\nAuto-Submitted: auto-replied\nPrecedence: bulk\n'],
  ['Thunderbird filters', 'Subject: Re: Offer\nAuto-Submitted: auto-replied\n'],
  ['cPanel', 'Subject: Re: Offer\nX-Autorespond: Re: Offer\nPrecedence: bulk\nAuto-Submitted: auto-replied\n'],
  ['Sieve vacation', 'Subject: Auto: Offer\nAuto-Submitted: auto-replied (vacation)\n'],
] as const;

const lists = [
  ['Mailman', 'List-Id: Users <users.lists.test>\nList-Unsubscribe: <mailto:leave@lists.test>\nPrecedence: list\n'],
  ['Google Groups', 'List-ID: <team.groups.test>\nMailing-list: list team@groups.test\n'],
  ['Sympa', 'List-Id: <sympa.test>\nX-Loop: users@sympa.test\n'],
] as const;

export const moreAutomatic: readonly OddMessage[] = [
  ...servers.map(({ name, from, subject, more = '', status: report, third = 'message/rfc822' }) => ({
    name: `a bounce of ${name}, with its report`,
    raw: multipart(
      'report; report-type=delivery-status',
      [
        textPart('Your message could not be delivered.'),
        `Content-Type: message/delivery-status\n\n${report}`,
        `Content-Type: ${third}\n\n${sent}`,
      ],
      `From: ${from}\nTo: office@kontor.test\nSubject: ${subject}\nReturn-Path: <>\n${more}`,
    ),
    is: { kind: 'bounce' as const, failed: ['gone@customer.test'], references: ['sent@kontor.test'] },
  })),
  ...away.map(([name, headers]) => ({
    ...{
      name: `an absence note of ${name}`,
      raw: plain('I am away.', headers),
      is: { kind: 'auto' as const, failed: [] },
    },
  })),
  ...lists.map(([name, headers]) => ({
    ...{ name: `a list of ${name}`, raw: plain('x', headers), is: { isFromList: true } },
  })),
  {
    name: 'a read receipt',
    raw: multipart(
      'report; report-type=disposition-notification',
      [
        textPart('It was read.'),
        'Content-Type: message/disposition-notification\n\nFinal-Recipient: rfc822; ada@example.com\nDisposition: manual-action/MDN-sent-manually; displayed\n',
      ],
      'From: ada@example.com\nSubject: Read: Offer\nAuto-Submitted: auto-replied\n',
    ),
    is: { kind: 'auto', failed: [] },
  },
  {
    name: 'a report of a person who forwards a bounce',
    raw: bytes('From: ada@example.com\nSubject: Fwd: Undelivered Mail Returned to Sender\n\nWhat is this?'),
    is: { kind: 'message', failed: [] },
  },
];
