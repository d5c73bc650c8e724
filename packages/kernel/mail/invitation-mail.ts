import { composeMail } from './compose-mail.ts';
import type { Mail } from './send-mail.ts';

export interface Invitation {
  readonly to: string;
  readonly name: string;
  readonly login: string;
  readonly company: string;
  readonly link: string;
  readonly days: number;
}

/** For a new user: who they are here, and where they choose a password. */
export function invitationMail({ to, name, login, company, link, days }: Invitation): Mail {
  return composeMail({
    to,
    subject: `${company} invites you to Kontor`,
    paragraphs: [
      `Hello ${name},`,
      `${company} works with Kontor, and there is an account for you. Your login is ${login}.`,
    ],
    button: { label: 'Choose a password', href: link },
    note: `The link works once, for ${days} days.`,
  });
}
