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
  normalise: {
    /** Whoever edits a contact must not take over its account, or move it to another customer. */
    another_person: {
      on: ['email', 'parent_id'],
      reads: ['has_portal'],
      value: ({ email, parent_id: firm }, { before }) =>
        before?.has_portal && (before.email !== email || before.parent_id !== firm) ? { has_portal: false } : undefined,
    },
  },
  actions: {
    invite_to_portal: {
      label: 'Invite to the portal',
      icon: 'mail-plus',
      // An account shows all documents of the customer, which those who edit contacts need not be allowed to read.
      groups: ['base.group_system', 'contacts.group_manager'],
      single: 'Choose one contact.',
      mails: 'only',
      run: inviteContact,
    },
    end_portal: { label: 'End portal access', icon: 'user-x', run: endAccess },
  },
});
