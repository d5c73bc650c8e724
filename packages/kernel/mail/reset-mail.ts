import type { Mail } from './send-mail.ts';

/** The link works once, for an hour. */
export function resetMail(to: string, link: string): Mail {
  const href = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return {
    to,
    subject: 'Choose a new password for Kontor',
    text: `Somebody, hopefully you, asked for a new password.\n\nChoose one here within the hour:\n${link}\n\nIf it was not you, ignore this mail: nothing has changed.\n`,
    html: `<p>Somebody, hopefully you, asked for a new password.</p><p><a href="${href}">Choose a new password</a> within the hour.</p><p>If it was not you, ignore this mail: nothing has changed.</p>`,
  };
}
