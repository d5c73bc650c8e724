import { text } from '@kontor/protocol';
import type { PersonWords } from '../translations/words-for.ts';
import { composeMail } from './compose-mail.ts';
import type { Mail } from './send-mail.ts';

/** The link works once, for an hour. */
export function resetMail(to: string, link: string, words?: PersonWords): Mail {
  return composeMail({
    to,
    ...(words && { words }),
    subject: text('Choose a new password for Kontor'),
    paragraphs: [text('Somebody, hopefully you, asked for a new password. Choose one within the hour.')],
    button: { label: text('Choose a new password'), href: link },
    note: text('If it was not you, ignore this mail: nothing has changed.'),
  });
}
