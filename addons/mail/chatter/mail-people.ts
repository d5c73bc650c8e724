import type { MailPeople } from '../incoming/parse-message.ts';

const nobody: MailPeople = { to: [], cc: [], replyTo: null };

/** As they are stored with a message; nobody for one without. */
export function peopleIn(stored: unknown): MailPeople {
  return typeof stored === 'object' && stored !== null ? { ...nobody, ...(stored as Partial<MailPeople>) } : nobody;
}
