import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const own = { readonly: true, copy: false } as const;

const knownFields = {
  mailbox_id: fields.many2one('mail.mailbox', { label: 'Mailbox', required: true, ondelete: 'cascade', ...own }),
  fingerprint: fields.char({ required: true, size: 64, ...own }),
};
interface MailIncomingKnown extends FieldsOf<typeof knownFields> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.incoming.known': MailIncomingKnown;
  }
}

/**
 * The fingerprint of an e-mail whose row was deleted: a mailbox that is fetched again from its beginning brings it once more. It has no
 * access rows and is never shown.
 */
export const mailIncomingKnown = defineModel('mail.incoming.known', {
  label: 'Known e-mail',
  noCompany: 'A fingerprint tells nothing, and nobody reads it.',
  order: 'id',
  displayName: '{fingerprint}',
  quiet: true,
  fields: knownFields,
  uniques: { once: { fields: ['mailbox_id', 'fingerprint'], message: 'This e-mail was received already.' } },
});
