import type { companyValue } from '../fields/default-sources.ts';

/** A part of an e-mail; `contact` is the contact with the address of the sender, if there is exactly one. */
export type MailPart = 'subject' | 'body' | 'sender_name' | 'sender_email' | 'contact';

/** How e-mails become records of a model. */
export interface MailSpec {
  /** The part of the address before the `@`: with `sales`, an e-mail to sales@example.com creates a record. */
  readonly alias: string;
  /**
   * The source of each field of the new record: a part of the e-mail, or a setting of the company. Without the setting, a person
   * decides what becomes of the e-mail.
   */
  readonly creates: Readonly<Record<string, MailPart | ReturnType<typeof companyValue>>>;
}
