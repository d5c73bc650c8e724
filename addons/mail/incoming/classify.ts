import { isMailAddress } from '@kontor/addon';
import type { Attachment, Email } from 'postal-mime';

/** `bounce`: an e-mail of ours did not arrive. `auto`: nobody wrote it, such as an out-of-office note. */
export type MessageKind = 'message' | 'bounce' | 'auto';

interface Classified {
  readonly kind: MessageKind;
  readonly isFromList: boolean;
  readonly failed: readonly string[];
  /** The Message-ID of the e-mail that came back. */
  readonly original: readonly string[];
}

/** Who wrote it: a person, a program, or a mail server about an e-mail that did not arrive. By headers, never by the body. */
export function classify(email: Email, sender: string | null): Classified {
  const header = (name: string) =>
    email.headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase() ?? '';
  const report = reportOf(email.attachments);
  const original = originalIds(email.attachments);
  const failed = [...new Set([...report.failed, ...failedHeader(header('x-failed-recipients'))])].slice(0, 50);
  const isServer = /^(?:mailer-daemon|postmaster|mail-daemon)@/.test(sender ?? '');
  const isReport = /^multipart\/report\b.*delivery-status/s.test(header('content-type'));
  const hasNoReturn = /^<\s*>$/.test(header('return-path'));
  const isFromList =
    ['list-id', 'list-post', 'list-unsubscribe'].some((name) => header(name) !== '') || header('precedence') === 'list';
  const isUndelivered = failed.length > 0 || ((isReport || isServer) && undelivered.test(email.subject ?? ''));
  if (isUndelivered && !report.isDelayed && (isReport || isServer || hasNoReturn))
    return { kind: 'bounce', isFromList: false, failed, original };
  const submitted = header('auto-submitted');
  const isAuto =
    isReport ||
    isServer ||
    hasNoReturn ||
    (submitted !== '' && !submitted.startsWith('no')) ||
    ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-vacation'].some((name) => header(name) !== '') ||
    ['auto_reply', 'bulk', 'junk'].includes(header('precedence'));
  return { kind: isAuto ? 'auto' : 'message', isFromList, failed: [], original: [] };
}

const undelivered =
  /undeliver|delivery (?:status notification|failure|has failed)|failure notice|returned (?:mail|to sender)|mail delivery failed|unzustellbar|nicht zugestellt|non remis|échec/i;

interface Report {
  readonly failed: readonly string[];
  readonly isDelayed: boolean;
}

/** The fields of a delivery status (RFC 3464), one group for each recipient. */
function reportOf(attachments: readonly Attachment[]): Report {
  const status = attachments.find(({ mimeType }) => /^message\/(?:global-)?delivery-status$/.test(mimeType));
  const groups = status ? textOf(status).split(/\r?\n\s*\r?\n/) : [];
  const failed: string[] = [];
  let isDelayed = false;
  for (const group of groups.slice(0, 200)) {
    const action = /^action:\s*(\w+)/im.exec(group)?.[1]?.toLowerCase();
    const named = /^(?:original|final)-recipient:(.*(?:\r?\n[ \t].*)*)/im.exec(group)?.[1];
    // `rfc822; ada@example.com`
    const recipient = named
      ?.split(';')
      .at(-1)
      ?.replaceAll(/[<>\s]/g, '')
      .toLowerCase();
    if (action === 'failed' && recipient) failed.push(recipient);
    isDelayed ||= action === 'delayed' || action === 'relayed' || action === 'delivered';
  }
  return { failed: failed.filter(isMailAddress), isDelayed: isDelayed && failed.length === 0 };
}

function failedHeader(value: string): readonly string[] {
  return value.split(/[,\s]+/).filter(isMailAddress);
}

/** From the e-mail that was returned, or its headers. */
function originalIds(attachments: readonly Attachment[]): readonly string[] {
  const returned = attachments.find(({ mimeType }) =>
    /^(?:message\/rfc822|message\/global|text\/rfc822-headers)$/.test(mimeType),
  );
  const [head = ''] = returned ? textOf(returned).split(/\r?\n\r?\n/, 1) : [];
  return messageIds(/^message-id:[^<]{0,200}(<[^<>]{3,500}>)/im.exec(head)?.[1] ?? '');
}

/** Message-IDs in a header, without angle brackets. */
export function messageIds(header: string): readonly string[] {
  return [...header.slice(0, 20_000).matchAll(/<([^<>\s]{3,500})>/g)].map(([, id]) => id as string);
}

function textOf({ content }: Attachment): string {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer);
  return bytes.toString('latin1', 0, 64_000);
}
