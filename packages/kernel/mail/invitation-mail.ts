import { text } from '@kontor/protocol';
import type { PersonWords } from '../translations/words-for.ts';
import { composeMail } from './compose-mail.ts';
import type { Mail } from './send-mail.ts';

export interface Invitation {
  readonly to: string;
  readonly name: string;
  readonly login: string;
  readonly company: string;
  readonly link: string;
  readonly days: number;
  readonly words?: PersonWords;
}

/** For a new user: who they are here, and where they choose a password. */
export function invitationMail({ to, name, login, company, link, days, words }: Invitation): Mail {
  return composeMail({
    to,
    ...(words && { words }),
    subject: text('{company} invites you to Kontor', { company }),
    paragraphs: [
      text('Hello {name},', { name }),
      text('{company} works with Kontor, and there is an account for you. Your login is {login}.', { company, login }),
    ],
    button: { label: text('Choose a password'), href: link },
    note: text('The link works once, for {days} days.', { days }),
  });
}
