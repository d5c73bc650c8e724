import { composeMail } from './compose-mail.ts';
import type { Mail } from './send-mail.ts';

/** The link works once, for an hour. */
export function resetMail(to: string, link: string): Mail {
  return composeMail({
    to,
    subject: 'Choose a new password for Kontor',
    paragraphs: ['Somebody, hopefully you, asked for a new password. Choose one within the hour.'],
    button: { label: 'Choose a new password', href: link },
    note: 'If it was not you, ignore this mail: nothing has changed.',
  });
}
