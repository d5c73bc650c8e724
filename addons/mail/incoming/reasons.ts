/** Why an e-mail is where it is. */
export const reasons = {
  reference: 'It answers an e-mail about the record.',
  address: 'It was sent to the reply address of the record.',
  alias: 'It was sent to an alias.',
  person: 'Filed by a person.',
  nothing: 'It answers nothing and names no alias.',
  automatic: 'It was sent automatically or by a mailing list, so it creates nothing.',
  company: 'The record belongs to another company.',
  refused: 'The alias could not create a record.',
  flood: 'The sender has sent too many e-mails within an hour.',
  contact: 'It is from before the mailbox was connected, and its sender is a contact.',
  history: 'It is from before the mailbox was connected and fits no record: it stays in its mailbox.',
  same: 'The same e-mail is on the record already.',
  loop: 'It comes from one of our own addresses.',
} as const;
export type Reason = keyof typeof reasons;
