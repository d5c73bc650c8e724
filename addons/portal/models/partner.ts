import '@addons/base';
import { type CallsOf, type FieldsOf, fields, inheritModel } from '@kontor/addon';
import { endAccess, inviteContact } from '../accounts/account.ts';

const partnerFields = {
  has_portal: fields.boolean({
    ...{ label: 'Portal account', readonly: true, copy: false },
    help: 'Signs in with a link by e-mail and sees all documents of their own and of their company.',
  }),
};
declare module '@addons/base' {
  interface CorePartner extends FieldsOf<typeof partnerFields> {}
  interface CorePartnerCalls extends CallsOf<typeof portalPartner> {}
}

export const portalPartner = inheritModel('core.partner', {
  fields: partnerFields,
  actions: {
    invite_to_portal: {
      label: 'Invite to the portal',
      icon: 'mail-plus',
      single: 'Choose one contact.',
      run: inviteContact,
    },
    end_portal: { label: 'End portal access', icon: 'user-x', run: endAccess },
  },
});
