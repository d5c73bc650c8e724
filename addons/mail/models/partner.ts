import '@addons/base';
import { type FieldsOf, fields, inheritModel } from '@kontor/addon';

const partnerFields = {
  mail_failed_at: fields.datetime({
    ...{ label: 'E-mail not delivered', readonly: true, copy: false },
    help: 'When an e-mail to this address came back. It is cleared when the address changes or the contact writes.',
  }),
};
declare module '@addons/base' {
  interface CorePartner extends FieldsOf<typeof partnerFields> {}
}

export const partnerMail = inheritModel('core.partner', {
  fields: partnerFields,
  normalise: {
    another_address: {
      on: ['email'],
      reads: ['mail_failed_at'],
      value: ({ email }, { before }) =>
        before?.mail_failed_at && before.email !== email ? { mail_failed_at: null } : undefined,
    },
  },
});
