import '@addons/contacts';
import { type FieldsOf, fields, inheritModel } from '@kontor/addon';
import { markContacts } from '../optout/keep-opt-out.ts';

const partnerFields = {
  mailing_opted_out_at: fields.datetime({
    ...{ label: 'Opted out of mailings', readonly: true, copy: false },
    help: 'Whoever has this address gets no mailing any more. Addresses are under Bulk mail.',
  }),
};
declare module '@addons/base' {
  interface CorePartner extends FieldsOf<typeof partnerFields> {}
}

/** An address keeps its opt-out, whoever has it. */
export const partnerMailing = inheritModel('core.partner', {
  fields: partnerFields,
  hooks: {
    on: ['email'],
    afterCreate: ({ env, ids }) => markContacts(env, ids),
    afterWrite: ({ env, ids }) => markContacts(env, ids),
  },
});
